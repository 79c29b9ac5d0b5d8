/** Reads what a person typed. A parser of our own, because loading a library's cost more than all else a command does (ADR 8). */
package dev.muster.cli.arguments;
