package dev.muster.server.service;

import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.spi.Clock;
import dev.muster.spi.JobStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Decides when a service that nobody uses ends: no request and no job for the whole of the idle time. A suspended job holds nothing. */
final class IdleStop {
    private final Duration idle;
    private final Activity activity;
    private final JobStore store;
    private final Clock clock;

    IdleStop(Duration idle, Activity activity, JobStore store, Clock clock) {
        this.idle = idle;
        this.activity = activity;
        this.store = store;
        this.clock = clock;
    }

    /** How long to wait before asking again; empty when the service is closed now. */
    Optional<Duration> check() {
        Instant lastUse = activity.lastUse();
        Duration unused = Duration.between(lastUse, clock.now());
        if (unused.compareTo(idle) < 0) {
            return Optional.of(idle.minus(unused));
        }
        if (store.live().stream().map(JobRecord::state).anyMatch(state -> state != JobState.SUSPENDED)) {
            return Optional.of(idle);
        }
        return activity.closeUnlessUsedSince(lastUse) ? Optional.empty() : Optional.of(idle);
    }
}
