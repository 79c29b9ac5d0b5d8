/** How durations, sizes, numbers and tables are read and shown. */
package dev.muster.cli.format;
