package dev.muster.control.schedule;

import dev.muster.model.BackendKind;
import dev.muster.model.Capacity;
import dev.muster.model.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/**
 * A job in the queue.
 *
 * @param claim    what it asks for
 * @param since    its turn among the jobs of its user: earlier goes first
 * @param runLimit how long it can hold its place at most, once started; empty without a deadline
 */
public record Waiting(Claim claim, Instant since, Optional<Duration> runLimit) {
    /** First come, first served. */
    static final Comparator<Waiting> BY_TIME =
            Comparator.comparing(Waiting::since).thenComparing(Waiting::id);

    public JobId id() {
        return claim.id();
    }

    Shape shape() {
        return new Shape(claim.backend(), claim.demand(), runLimit);
    }

    /** What is alike in the eyes of the scheduler: when one of a shape does not fit, no other of it does. */
    record Shape(BackendKind backend, Capacity demand, Optional<Duration> runLimit) {}
}
