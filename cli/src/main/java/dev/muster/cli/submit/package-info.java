/** Hands a job in: the raw text first, then what the service says that it still needs. */
package dev.muster.cli.submit;
