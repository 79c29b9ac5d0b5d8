/** The only place of the command line that makes something random. */
package dev.muster.cli.system;
