/** What Muster talks about: job specifications, launch plans, states, attempts, problems. Immutable values, JDK only, no IO. */
package dev.muster.model;
