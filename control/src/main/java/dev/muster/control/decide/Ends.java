package dev.muster.control.decide;

import dev.muster.model.Attempt;
import dev.muster.model.Cause;
import dev.muster.model.JobState;
import dev.muster.model.RestartScope;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The ways out of an attempt of the group: success, failure, or another attempt if the budget allows. */
final class Ends {
    /** Restarts in a row that are not counted and brought no progress, after which the job ends. */
    static final int UNCOUNTED_LIMIT = 20;

    private Ends() {}

    /** All that decide have ended well. Takes the last step when nothing is left, else stops the rest. */
    static void succeed(Turn turn) {
        turn.draft.cause = Optional.empty();
        turn.draft.reason = Optional.empty();
        boolean direct = turn.state() == JobState.STARTING || turn.state() == JobState.RUNNING;
        if (!direct || turn.anyAlive()) {
            turn.draft.stop(JobState.SUCCEEDED);
        } else if (released(turn)) {
            turn.draft.to(turn.spec().model().isPresent() ? JobState.PUBLISHING : JobState.SUCCEEDED);
        }
    }

    /** Whether nothing of the job is left and its addresses, ports and GPUs are given back. */
    static boolean released(Turn turn) {
        if (!turn.allGone()) {
            return false;
        }
        boolean keeps = turn.spec().checkpoints().keep().isPresent();
        if (keeps && !turn.seen.done().checkpointsKept()) {
            turn.act(new Effect.KeepCheckpoints(List.of(), true));
        }
        if (!turn.seen.done().released()) {
            turn.act(new Effect.Release());
        }
        return turn.seen.done().released() && (!keeps || turn.seen.done().checkpointsKept());
    }

    static void fail(Turn turn, Cause cause, String reason) {
        turn.draft.because(cause, reason);
        turn.draft.stop(JobState.FAILED);
    }

    /** Tries again, or fails the job when the budget is used up. */
    static void restart(Turn turn, Cause cause, String reason, Verdict verdict) {
        Draft draft = turn.draft;
        int max = turn.spec().restart().max();
        if (verdict.counted() && draft.restarts >= max) {
            fail(turn, cause, reason + " (restart limit reached: restart.max is " + max + ")");
            return;
        }
        if (!verdict.counted() && draft.uncounted >= UNCOUNTED_LIMIT) {
            fail(turn, cause, reason + " (" + UNCOUNTED_LIMIT + " restarts in a row without progress)");
            return;
        }
        if (verdict.counted()) {
            draft.restarts++;
        } else {
            draft.uncounted++;
        }
        again(turn, cause, reason, verdict.scope(), verdict.counted() ? draft.restarts : draft.uncounted);
    }

    /** Tries again without counting: the failure belongs to a restart that was counted already. */
    static void restartWithPeer(Turn turn) {
        // A reason without a cause says what is waited for.
        Cause cause = turn.draft.cause.orElse(Cause.KILLED);
        String reason =
                turn.draft.cause.flatMap(known -> turn.draft.reason).orElse(cause.because("a peer was restarted"));
        again(turn, cause, reason, RestartScope.PROCESS, Math.max(1, turn.draft.restarts));
    }

    private static void again(Turn turn, Cause cause, String reason, RestartScope scope, int number) {
        Draft draft = turn.draft;
        draft.because(cause, reason);
        draft.restarting = Optional.of(scope);
        Duration pause = turn.spec().restart().backoff().before(number);
        draft.retryAt = Optional.of(turn.now.plus(pause));
        draft.settleUntil =
                scope == RestartScope.GROUP ? Optional.empty() : Optional.of(turn.now.plus(Settling.window(turn)));
        draft.to(JobState.RESTARTING);
    }

    /** What a restart of this scope starts anew, by the failures on record. */
    static boolean startsAnew(Turn turn, Attempt attempt, RestartScope scope, List<Attempt> failures) {
        return switch (scope) {
            case GROUP -> !Standby.is(turn, attempt);
            case ROLE ->
                failures.stream()
                        .anyMatch(failed ->
                                failed.name().role().equals(attempt.name().role()));
            case PROCESS -> failures.contains(attempt);
            case DEFAULT -> throw new IllegalStateException("the scope of a restart is resolved");
        };
    }
}
