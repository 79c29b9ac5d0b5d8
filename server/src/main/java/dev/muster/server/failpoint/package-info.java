/** Moments at which a service can be told to halt, so that a test can show that it may. */
package dev.muster.server.failpoint;
