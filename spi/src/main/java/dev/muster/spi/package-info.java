/** The ports between the parts of Muster, a page of contract each. Who implements one is held by its TCK in testkit. */
package dev.muster.spi;
