package dev.muster.cli.client;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What the service's clock shows, to the second: its answers say it, and from then on the time that passes is added. So ages are
 * right on a machine whose own clock is not. Any thread may call.
 */
public final class ServiceTime {
    private long date;
    private long seenAt;

    synchronized void seen(long milliseconds) {
        if (milliseconds > 0) {
            date = milliseconds;
            seenAt = System.nanoTime();
        }
    }

    /** Now; empty while no answer has said it. */
    public synchronized Optional<Instant> now() {
        return date == 0
                ? Optional.empty()
                : Optional.of(Instant.ofEpochMilli(date).plusNanos(System.nanoTime() - seenAt));
    }

    /** Time since then, zero when then is to come; empty while now is not known. */
    public Optional<Duration> since(Instant then) {
        Optional<Instant> now = now();
        if (now.isEmpty()) {
            return Optional.empty();
        }
        Duration since = Duration.between(then, now.get());
        return Optional.of(since.isNegative() ? Duration.ZERO : since);
    }
}
