package dev.muster.control.decide;

import dev.muster.model.Attempt;
import dev.muster.model.Cause;
import dev.muster.model.JobState;
import dev.muster.model.ProcessState;
import dev.muster.spi.Sighting;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;

/** The bounds of time while an attempt of the group is under way. Each answers true when it has ended the job. */
final class Deadlines {
    /** In which a backend tells what it finds of those it takes up, and what they reported is read. */
    private static final Duration GLANCE = Duration.ofSeconds(3);

    private Deadlines() {}

    /** Of the training: from the first start on, standing still while Suspended or Queued again. */
    static boolean training(Turn turn) {
        Optional<Duration> deadline = turn.spec().limits().deadline();
        Optional<Instant> at = deadline.flatMap(turn.draft::deadlineAt);
        if (at.isEmpty() || !turn.reached(at.get())) {
            return false;
        }
        Ends.fail(
                turn,
                Cause.DEADLINE_EXCEEDED,
                Cause.DEADLINE_EXCEEDED.because("ran longer than deadline (" + Durations.text(deadline.get()) + ")"));
        return true;
    }

    /**
     * Of the start: from Admitted of each attempt until all have joined. Not tried again: who does not join in time would not join
     * the next time either, and the bound is the user's own.
     */
    static boolean start(Turn turn) {
        Duration bound = turn.spec().limits().startDeadline();
        Instant from = turn.draft.admittedAt.orElse(turn.job().times().queuedAt());
        if (!turn.reached(from, bound) || mayHaveJoined(turn)) {
            return false;
        }
        if (turn.state() == JobState.STARTING
                && Elasticity.goOnWithout(
                        turn, missing(turn) + " within startDeadline (" + Durations.text(bound) + ")")) {
            turn.draft.to(JobState.RUNNING);
            return true;
        }
        Cause cause = StartingStep.hold(turn).map(Sighting.Hold::cause).orElse(Cause.START_TIMEOUT);
        Ends.fail(turn, cause, cause.because(missing(turn) + " within startDeadline (" + Durations.text(bound) + ")"));
        return true;
    }

    /** Whether this service has only just begun to look: who joined while nobody did is not seen at the first glance. */
    private static boolean mayHaveJoined(Turn turn) {
        return turn.groupAlive()
                && turn.seen
                        .watch()
                        .since()
                        .filter(since -> !turn.reached(since, GLANCE))
                        .isPresent();
    }

    private static String missing(Turn turn) {
        Optional<String> preparing = turn.seen.preparation().activity();
        if (preparing.isPresent()) {
            return "the environment was not ready (" + preparing.get() + ")";
        }
        return turn.processes().stream()
                        .filter(attempt -> StartingStep.mustJoin(turn, attempt) && !attempt.joined())
                        .map(attempt -> attempt.name() + state(attempt))
                        .collect(Collectors.joining(", "))
                + " did not join"
                + StartingStep.hold(turn)
                        .map(hold -> " (" + hold.message() + ")")
                        .orElse("");
    }

    private static String state(Attempt attempt) {
        if (attempt.exit().isPresent() && attempt.exit().get().code().isPresent()) {
            return " (ended with exit code " + attempt.exit().get().code().getAsInt() + ")";
        }
        return attempt.startedAt().isEmpty() && attempt.state() != ProcessState.RUNNING ? " (not started)" : "";
    }
}
