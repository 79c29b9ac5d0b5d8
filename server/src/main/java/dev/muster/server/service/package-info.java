/** The life of the service: start, idling, stop, and what is asked about the service itself. */
package dev.muster.server.service;
