package dev.muster.server.system;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The time of day as the system has it, for what is only read by people, such as the service's log. */
public final class WallTime {
    private WallTime() {}

    public static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }
}
