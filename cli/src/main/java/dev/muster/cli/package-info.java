/** The commands a person types, spoken to the service over its API. */
package dev.muster.cli;
