/** What Linux tells of processes in {@code /proc} (proc(5)), put down so that a person sees why one does not go on. */
package dev.muster.formats.proc;
