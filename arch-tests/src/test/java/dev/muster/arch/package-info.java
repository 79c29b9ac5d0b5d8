/** Holds the rules of the house against the compiled classes of every module. */
package dev.muster.arch;
