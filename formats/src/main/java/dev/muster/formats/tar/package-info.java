/** Tar archives, entry by entry: POSIX ustar, pax and GNU's form are read, GNU's form is written. */
package dev.muster.formats.tar;
