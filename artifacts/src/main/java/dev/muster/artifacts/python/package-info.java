/** Python environments: found, keyed by content, built once, never used half built. */
package dev.muster.artifacts.python;
