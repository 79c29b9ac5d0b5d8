package dev.muster.control.decide;

import dev.muster.model.Attempt;
import dev.muster.model.Cause;
import dev.muster.model.JobState;
import dev.muster.model.Placement;
import dev.muster.model.RestartScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Restarting: what is started anew has to stop first, and the back-off has to pass. Where only single processes are started anew, another
 * one that fails meanwhile lacks its peer: it is started anew with it and nothing is counted, unless its failure is of a kind that a
 * missing peer does not explain.
 */
final class RestartingStep {
    private RestartingStep() {}

    static void decide(Turn turn) {
        Absorption.absorb(turn);
        Elasticity.letGo(turn);
        if (turn.draft.restarting.orElseThrow() != RestartScope.GROUP) {
            if (Success.reached(turn)) {
                Ends.succeed(turn);
                return;
            }
            if (joinedByOthers(turn)) {
                return;
            }
        }
        if (Deadlines.training(turn)) {
            return;
        }
        RestartScope scope = turn.draft.restarting.orElseThrow();
        List<Attempt> failures = turn.failures();
        boolean stopped = true;
        for (int index = 0; index < turn.processes().size(); index++) {
            if (Ends.startsAnew(turn, turn.processes().get(index), scope, failures)) {
                Stops.one(turn, index, turn.now);
                // Its end is on record before the next attempt takes its place there.
                Attempt attempt = turn.processes().get(index);
                stopped &= turn.gone(attempt) && turn.job().processes().contains(attempt);
            }
        }
        if (turn.reached(turn.draft.retryAt.orElse(turn.now)) && stopped && !Strays.any(turn)) {
            readmit(turn, scope, failures);
        }
    }

    /** Judges failures that came after the restart was decided; true when one of them ended the job. */
    private static boolean joinedByOthers(Turn turn) {
        List<Attempt> fresh = new ArrayList<>(turn.failures());
        fresh.removeAll(turn.job().processes());
        if (!Settling.known(turn, fresh)) {
            return false;
        }
        for (Attempt failed : fresh) {
            Verdict verdict = Verdict.of(turn, failed);
            if (!verdict.restart() && (verdict.ruled() || Settling.cause(failed) != Cause.USER_ERROR)) {
                Ends.fail(turn, Settling.cause(failed), Settling.reason(failed));
                return true;
            }
            if (verdict.restart() && verdict.scope() == RestartScope.GROUP) {
                turn.draft.restarting = Optional.of(RestartScope.GROUP);
            }
        }
        return false;
    }

    private static void readmit(Turn turn, RestartScope scope, List<Attempt> failures) {
        Draft draft = turn.draft;
        if (scope == RestartScope.GROUP) {
            draft.attempt++;
            draft.placement = Placement.NONE;
        }
        // After single restarts the members count differently; a group begins with one number for all.
        int highest = draft.processes.stream()
                .filter(attempt -> !Standby.is(turn, attempt))
                .mapToInt(Attempt::attempt)
                .max()
                .orElse(0);
        for (int index = 0; index < draft.processes.size(); index++) {
            Attempt attempt = draft.processes.get(index);
            if (Ends.startsAnew(turn, attempt, scope, failures) && !Elasticity.leaves(turn, attempt)) {
                int before = scope == RestartScope.GROUP ? highest : attempt.attempt();
                draft.process(index, Attempt.waiting(attempt.name(), before + 1, draft.attempt));
            }
        }
        draft.admittedAt = Optional.of(turn.now);
        draft.settleUntil =
                scope == RestartScope.GROUP ? Optional.empty() : Optional.of(turn.now.plus(Settling.window(turn)));
        draft.to(JobState.ADMITTED);
    }
}
