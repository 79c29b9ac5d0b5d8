/** Streams that pass bytes on in bulk. */
package dev.muster.formats.streams;
