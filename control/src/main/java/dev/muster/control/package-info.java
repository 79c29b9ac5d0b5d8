/** Carries out what {@link dev.muster.control.decide} decides: looks, stores, acts, and takes requests. */
package dev.muster.control;
