/** MPI by Open MPI: a launcher with a host file, and an agent of ours on each worker in place of an ssh server. */
package dev.muster.frameworks.mpi;
