package dev.muster.control.decide;

import dev.muster.model.Attempt;
import dev.muster.model.StallTimeout;
import dev.muster.spi.Telemetry.Pace;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A group that does not go on, or one rank of it that does not while others do.
 *
 * @param since when there was the last sign
 * @param until when the bound is reached
 * @param what  the first half of the reason
 */
record Standstill(Instant since, Instant until, String what) {
    /** A rank that reports now and then only is no rank that stands still: it must have had a rhythm, and be far behind it. */
    private static final long RANK_REPORTS = 3;

    private static final int RANK_USUAL = 10;

    /** The standstill that is over its bound; else asks to be woken when one might be. */
    static Optional<Standstill> of(Turn turn) {
        Optional<StallTimeout> timeout = turn.spec().limits().stallTimeout();
        if (timeout.isEmpty() || turn.seen.watch().progressAt().isEmpty()) {
            return Optional.empty();
        }
        return Stream.concat(
                        ofGroup(turn, timeout.get()).stream(),
                        turn.processes().stream()
                                .filter(attempt -> turn.alive(attempt) && !turn.sidecar(attempt))
                                .filter(attempt -> !attempt.equals(Success.chief(turn)))
                                .flatMap(rank -> ofRank(turn, timeout.get(), rank).stream()))
                .filter(standstill -> turn.reached(standstill.until()))
                .findFirst();
    }

    private static Optional<Standstill> ofGroup(Turn turn, StallTimeout timeout) {
        Instant progress = turn.seen.watch().progressAt().get();
        Optional<Pace> pace = pace(turn, Success.chief(turn));
        return switch (timeout) {
            case StallTimeout.After after ->
                Optional.of(new Standstill(
                        progress,
                        progress.plus(after.bound()),
                        "no progress for stallTimeout (" + Durations.text(after.bound()) + ")"));
            case StallTimeout.Auto ignored ->
                pace.flatMap(known ->
                        auto(turn, Success.chief(turn), known, later(progress, heard(turn, Success.chief(turn)))));
        };
    }

    private static Optional<Standstill> auto(Turn turn, Attempt attempt, Pace pace, Instant since) {
        return pace.rhythm()
                .flatMap(rhythm -> AutoBound.of(rhythm, turn.draft.restarts)
                        .map(bound -> new Standstill(
                                since,
                                since.plus(bound),
                                "no progress of " + attempt.name() + " for " + Durations.text(bound)
                                        + " (stallTimeout: auto; a step was told every "
                                        + Durations.text(rhythm.every()) + ")")));
    }

    /** One that reports steps, is behind others and says nothing at all any more. */
    private static Optional<Standstill> ofRank(Turn turn, StallTimeout timeout, Attempt rank) {
        Optional<Pace> found = pace(turn, rank);
        if (found.flatMap(Pace::rhythm)
                .filter(rhythm -> rhythm.reports() >= RANK_REPORTS)
                .isEmpty()) {
            return Optional.empty();
        }
        Pace pace = found.get();
        boolean behind = pace.step() < turn.seen.signs().progress().step().orElse(pace.step())
                && (pace.total().isEmpty() || pace.step() < pace.total().getAsLong());
        Instant floor = turn.seen.watch().since().orElse(turn.now);
        Instant since = later(later(pace.at(), floor), heard(turn, rank));
        if (!behind) {
            return Optional.empty();
        }
        return switch (timeout) {
            case StallTimeout.After after -> {
                Duration usual = pace.rhythm().get().longest().multipliedBy(RANK_USUAL);
                Duration bound = usual.compareTo(after.bound()) > 0 ? usual : after.bound();
                yield Optional.of(new Standstill(
                        since,
                        since.plus(bound),
                        rank.name() + " has not gone on for " + Durations.text(bound) + ", while others do"));
            }
            case StallTimeout.Auto ignored -> auto(turn, rank, pace, since);
        };
    }

    private static Optional<Pace> pace(Turn turn, Attempt attempt) {
        return Optional.ofNullable(turn.seen.signs().paces().get(turn.key(attempt)));
    }

    private static Instant heard(Turn turn, Attempt attempt) {
        return turn.seen.signs().lastOutput().getOrDefault(turn.key(attempt), Instant.MIN);
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
