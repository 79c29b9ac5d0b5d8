/** Wires the house together and serves it over HTTP. */
package dev.muster.server;
