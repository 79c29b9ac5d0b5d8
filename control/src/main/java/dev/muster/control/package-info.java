/** Decides what happens to jobs next, and carries it out. */
package dev.muster.control;
