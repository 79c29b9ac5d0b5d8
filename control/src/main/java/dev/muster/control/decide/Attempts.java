package dev.muster.control.decide;

import dev.muster.model.Attempt;
import dev.muster.model.ProcessState;
import dev.muster.spi.Sighting.Seen;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** An attempt with one thing changed. */
final class Attempts {
    private Attempts() {}

    static Attempt inState(Attempt a, ProcessState state) {
        return new Attempt(
                a.name(),
                a.attempt(),
                a.groupAttempt(),
                state,
                a.exit(),
                a.pid(),
                a.address(),
                a.startedAt(),
                a.joined(),
                a.stopAsked());
    }

    static Attempt asked(Attempt a, Instant now) {
        return new Attempt(
                a.name(),
                a.attempt(),
                a.groupAttempt(),
                ProcessState.STOPPING,
                a.exit(),
                a.pid(),
                a.address(),
                a.startedAt(),
                a.joined(),
                Optional.of(now));
    }

    static Attempt running(Attempt a, Seen.Running seen, boolean joined) {
        ProcessState state = a.state() == ProcessState.STOPPING
                ? ProcessState.STOPPING
                : joined ? ProcessState.RUNNING : ProcessState.STARTING;
        return new Attempt(
                a.name(),
                a.attempt(),
                a.groupAttempt(),
                state,
                a.exit(),
                seen.pid(),
                Optional.of(seen.address()),
                Optional.of(a.startedAt().orElse(seen.startedAt())),
                joined,
                a.stopAsked());
    }

    static Attempt ended(
            Attempt a,
            ProcessState state,
            Attempt.Exit exit,
            OptionalLong pid,
            Optional<Instant> startedAt,
            boolean joined) {
        return new Attempt(
                a.name(),
                a.attempt(),
                a.groupAttempt(),
                state,
                Optional.of(exit),
                a.pid().isPresent() ? a.pid() : pid,
                a.address(),
                a.startedAt().or(() -> startedAt),
                joined,
                a.stopAsked());
    }

    /** Whether it ended with 0 by itself, not because it was asked to. */
    static boolean endedWell(Attempt a) {
        return a.exit().isPresent()
                && a.exit().get().isSuccess()
                && (a.stopAsked().isEmpty()
                        || a.exit().get().at().isBefore(a.stopAsked().get()));
    }

    /** Whether it ended in a way that has to be judged. */
    static boolean failed(Attempt a) {
        return a.exit().isPresent() && a.exit().get().cause().isPresent();
    }
}
