package dev.muster.spi;

import dev.muster.model.JobId;

/** Gives identities that were never given before. Any thread may ask. */
public interface Ids {
    /** The identity that {@link #take} gives next, so that a plan shown before submission is the plan that is launched. */
    JobId next();

    /** Takes an identity; it is not given again. */
    JobId take();

    /** A secret that nobody can guess: 256 random bits in lower-case hexadecimal digits. */
    String secret();
}
