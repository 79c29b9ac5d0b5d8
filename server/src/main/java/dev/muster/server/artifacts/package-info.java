/** What is served about artifacts: code snapshots in, models out. */
package dev.muster.server.artifacts;
