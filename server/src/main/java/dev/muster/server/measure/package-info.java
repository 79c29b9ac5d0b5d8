/** What the service measures of itself, in the text form that Prometheus reads. */
package dev.muster.server.measure;
