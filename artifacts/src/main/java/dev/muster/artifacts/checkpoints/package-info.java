/** The catalogue of checkpoints: which there are, which are whole, what to resume from, which may go. */
package dev.muster.artifacts.checkpoints;
