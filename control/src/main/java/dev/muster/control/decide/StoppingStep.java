package dev.muster.control.decide;

import dev.muster.model.Attempt;
import dev.muster.model.JobState;
import dev.muster.model.SuccessPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Stopping: every process is ended in the way that what follows asks for, then everything is given back. Nothing is judged any more.
 *
 * <p>Before Succeeded, parameter servers and sidecars are asked at once, other processes a little later so that they can end by
 * themselves, an evaluator after 60 s. Before Suspended and Queued the stop file gives a joined group the grace time to save and leave.
 */
final class StoppingStep {
    /** How much longer an evaluator may run than those who decide. */
    static final Duration EVALUATOR = Duration.ofSeconds(60);

    /** How much longer the chief's peers may, who are about to end as it did. */
    static final Duration COURTESY = Duration.ofSeconds(3);

    private StoppingStep() {}

    static void decide(Turn turn) {
        Absorption.absorb(turn);
        JobState target = turn.draft.target.orElseThrow();
        boolean leave = letsLeave(turn, target);
        if (leave && turn.anyAlive() && !turn.seen.done().stopFile()) {
            turn.act(new Effect.WriteStopFile(
                    LastStep.of(turn.seen.signs(), turn.spec().limits().grace(), turn.now)));
        }
        Instant since = turn.draft.stopAskedAt.orElse(turn.now);
        for (int index = 0; index < turn.processes().size(); index++) {
            Attempt attempt = turn.processes().get(index);
            Duration wait = target == JobState.SUCCEEDED
                    ? patience(turn, attempt)
                    : leave && !Standby.is(turn, attempt) ? turn.spec().limits().grace() : Duration.ZERO;
            Stops.one(turn, index, since.plus(wait));
        }
        if (turn.seen.publication() instanceof Publication.Working) {
            turn.act(new Effect.AbandonPublish());
        } else if (Ends.released(turn)) {
            finish(turn, target);
        }
    }

    private static void finish(Turn turn, JobState target) {
        if (target == JobState.CANCELLED && turn.seen.publication() instanceof Publication.Done done) {
            // The version became visible before the request to cancel could prevent it.
            turn.draft.model = Optional.of(done.version());
            turn.draft.cause = Optional.empty();
            turn.draft.reason = Optional.empty();
            turn.draft.to(JobState.SUCCEEDED);
        } else if (target == JobState.SUCCEEDED && turn.spec().model().isPresent()) {
            turn.draft.to(JobState.PUBLISHING);
        } else {
            turn.draft.to(target);
        }
    }

    private static boolean letsLeave(Turn turn, JobState target) {
        boolean comesBack = target == JobState.SUSPENDED || target == JobState.QUEUED;
        return comesBack && turn.processes().stream().anyMatch(Attempt::joined);
    }

    private static Duration patience(Turn turn, Attempt attempt) {
        if (turn.sidecar(attempt) || turn.parameterServer(attempt)) {
            return Duration.ZERO;
        }
        if (attempt.name().role().equals("evaluator")) {
            return EVALUATOR;
        }
        return turn.snapshot.conduct().success() instanceof SuccessPolicy.Chief ? COURTESY : Duration.ZERO;
    }
}
