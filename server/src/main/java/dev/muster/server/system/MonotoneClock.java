package dev.muster.server.system;

import dev.muster.spi.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The system's time of day, but never going back: when the time of day is set back, or was later before the service was restarted,
 * this clock goes on at the pace of time from where it was until the time of day has caught up. A lead of less than a second is
 * given back at half that pace, since times that others take from the time of day (ends of processes) are compared with this clock.
 * Microseconds.
 */
public final class MonotoneClock implements Clock {
    private static final Duration SMALL_LEAD = Duration.ofSeconds(1);

    private final Supplier<Instant> timeOfDay;
    private final LongSupplier nanos;
    private Instant last;
    private long lastNanos;

    /** @param floor the latest time that was ever stored */
    public static MonotoneClock startingAfter(Optional<Instant> floor) {
        return new MonotoneClock(Instant::now, System::nanoTime, floor);
    }

    MonotoneClock(Supplier<Instant> timeOfDay, LongSupplier nanos, Optional<Instant> floor) {
        this.timeOfDay = timeOfDay;
        this.nanos = nanos;
        this.last = floor.orElse(Instant.EPOCH);
        this.lastNanos = nanos.getAsLong();
    }

    @Override
    public synchronized void notBefore(Instant time) {
        now();
        if (time.isAfter(last)) {
            last = time;
        }
    }

    @Override
    public synchronized Instant now() {
        long nanosNow = nanos.getAsLong();
        Duration passed = Duration.ofNanos(Math.max(0, nanosNow - lastNanos));
        Instant wall = timeOfDay.get();
        Duration lead = Duration.between(wall, last);
        if (lead.isPositive()) {
            last = last.plus(lead.compareTo(SMALL_LEAD) < 0 ? passed.dividedBy(2) : passed);
        } else {
            last = wall;
        }
        lastNanos = nanosNow;
        return last.truncatedTo(ChronoUnit.MICROS);
    }
}
