/** Training code on its way to the service: which files belong to it, and tar archives written and read. */
package dev.muster.cli.archive;
