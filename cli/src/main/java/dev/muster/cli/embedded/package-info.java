/** Finds the service of this machine, and starts or replaces it when need be: one service for a MUSTER_HOME, whoever asks. */
package dev.muster.cli.embedded;
