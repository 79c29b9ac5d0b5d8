/** The configuration file of {@code muster server}: read whole, every problem told at once. */
package dev.muster.server.config;
