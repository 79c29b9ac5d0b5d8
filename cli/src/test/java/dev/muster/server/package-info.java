/** A service that the tests of the command line start. */
package dev.muster.server;
