package dev.muster.testkit;

import dev.muster.spi.Clock;
import java.time.Duration;
import java.time.Instant;

/** A clock that stands still until a test moves it. */
public final class FakeClock implements Clock {
    private Instant now;

    public FakeClock(Instant start) {
        now = start;
    }

    public FakeClock() {
        this(SampleJobs.NOON);
    }

    @Override
    public synchronized Instant now() {
        return now;
    }

    public synchronized void advance(Duration duration) {
        advanceTo(now.plus(duration));
    }

    /** Moves to a moment; a moment that has passed changes nothing. */
    public synchronized void advanceTo(Instant moment) {
        if (moment.isAfter(now)) {
            now = moment;
        }
    }
}
