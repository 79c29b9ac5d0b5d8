/** Turns job text into the model and tells every problem in it at once. */
package dev.muster.spec;
