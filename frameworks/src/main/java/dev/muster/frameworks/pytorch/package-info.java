/** PyTorch: one process a rank (env:// rendezvous), or one torchrun a worker. */
package dev.muster.frameworks.pytorch;
