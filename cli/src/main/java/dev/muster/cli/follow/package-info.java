/** Follows a job over the service's streams, through the end of a service and the start of the next, without losing or doubling. */
package dev.muster.cli.follow;
