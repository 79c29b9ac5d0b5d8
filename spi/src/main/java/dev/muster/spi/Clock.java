package dev.muster.spi;

import java.time.Instant;

/** The one source of time. Never goes back, not even over a restart of the service; any thread may ask. */
public interface Clock {
    Instant now();

    /**
     * Goes on from there if it is behind: another replica's clock has been so far already, and what follows on its times must not lie before
     * them.
     */
    default void notBefore(Instant time) {}
}
