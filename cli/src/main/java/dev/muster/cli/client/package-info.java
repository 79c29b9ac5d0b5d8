/** Speaks HTTP with the service: finds it, asks, and turns every refusal into a {@link dev.muster.cli.base.Failure}. */
package dev.muster.cli.client;
