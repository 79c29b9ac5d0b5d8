/** What this machine has and lacks, and what follows from that. */
package dev.muster.cli.doctor;
