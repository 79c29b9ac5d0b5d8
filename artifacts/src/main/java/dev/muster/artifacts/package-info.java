/** Keeps code snapshots, datasets, checkpoints and models by content. */
package dev.muster.artifacts;
