/** Horovod over Gloo, without MPI: a key/value store beside the workers, who find it by the HOROVOD_ variables. */
package dev.muster.frameworks.horovod;
