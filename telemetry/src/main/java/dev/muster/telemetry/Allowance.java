package dev.muster.telemetry;

import java.time.Duration;
import java.time.Instant;

/** How many reports of one process are taken: 50 a second, and after a pause up to 50 at once. */
final class Allowance {
    private static final double A_SECOND = 50;
    private double free = A_SECOND;
    private Instant since;

    int at(Instant now) {
        if (since != null) {
            free = Math.min(
                    A_SECOND, free + A_SECOND * Duration.between(since, now).toMillis() / 1000);
        }
        since = now;
        return (int) free;
    }

    void take(int count) {
        free -= count;
    }
}
