/** Whole folders. */
package dev.muster.formats.files;
