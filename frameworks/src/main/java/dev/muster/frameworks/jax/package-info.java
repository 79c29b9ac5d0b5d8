/** JAX: one process a rank, {@code jax.distributed.initialize} against the coordinator that rank 0 starts. */
package dev.muster.frameworks.jax;
