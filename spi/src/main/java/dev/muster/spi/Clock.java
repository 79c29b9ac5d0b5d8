package dev.muster.spi;

import java.time.Instant;

/** The one source of time. Never goes back, not even over a restart of the service; any thread may ask. */
public interface Clock {
    Instant now();
}
