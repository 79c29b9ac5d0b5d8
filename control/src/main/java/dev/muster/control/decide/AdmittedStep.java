package dev.muster.control.decide;

import dev.muster.model.Attempt;
import dev.muster.model.JobState;
import dev.muster.model.ProcessState;
import java.util.Optional;

/**
 * Admitted: capacity is reserved, environment, checkpoint and addresses are being prepared. After the restart of single processes the
 * others live on and are judged as while Running.
 */
final class AdmittedStep {
    private AdmittedStep() {}

    static void decide(Turn turn) {
        Absorption.absorb(turn);
        Elasticity.letGo(turn);
        if (turn.groupAlive() && Success.reached(turn)) {
            Ends.succeed(turn);
            return;
        }
        if (Settling.judge(turn) || Deadlines.training(turn)) {
            return;
        }
        if (turn.seen.preparation() instanceof Preparation.Ready ready) {
            start(turn, ready);
        } else if (turn.seen.preparation() instanceof Preparation.Failed failed
                && Elasticity.goOnWithout(turn, failed.reason())) {
            turn.draft.to(JobState.STARTING);
        } else if (!Deadlines.start(turn)) {
            prepare(turn);
        }
    }

    /** Goes on with the preparation, also for a service that has lost it while the group was Starting. */
    static void prepare(Turn turn) {
        switch (turn.seen.preparation()) {
            case Preparation.None ignored -> turn.act(new Effect.Prepare(!turn.groupAlive()));
            case Preparation.Waiting ignored -> turn.act(new Effect.Prepare(!turn.groupAlive()));
            case Preparation.Working ignored -> {}
            case Preparation.Interrupted interrupted -> {
                if (turn.reached(interrupted.again())) {
                    turn.act(new Effect.Prepare(!turn.groupAlive()));
                }
            }
            case Preparation.Ready ignored -> {}
            case Preparation.Failed failed -> {
                if (failed.retry()) {
                    // A place that was lost changes what every member was told, so all start anew.
                    Ends.restart(
                            turn, failed.cause(), failed.reason(), Verdict.ofGroup(Verdict.counted(failed.cause())));
                } else {
                    Ends.fail(turn, failed.cause(), failed.reason());
                }
            }
        }
    }

    private static void start(Turn turn, Preparation.Ready ready) {
        Draft draft = turn.draft;
        draft.placement = ready.placement();
        draft.resumeFrom = ready.resumeFrom();
        StringBuilder reason = new StringBuilder(draft.reason.orElse(""));
        ready.resumeFrom().ifPresent(from -> add(reason, "resumes from " + from));
        ready.warnings().forEach(warning -> add(reason, warning));
        draft.reason = reason.isEmpty() ? Optional.empty() : Optional.of(reason.toString());
        for (int index = 0; index < draft.processes.size(); index++) {
            Attempt attempt = draft.processes.get(index);
            boolean starts = !Elasticity.leaves(turn, attempt) && !Standby.is(turn, attempt);
            if (attempt.state() == ProcessState.WAITING && starts) {
                draft.process(index, Attempts.inState(attempt, ProcessState.STARTING));
            }
        }
        draft.to(JobState.STARTING);
    }

    private static void add(StringBuilder reason, String sentence) {
        reason.append(reason.isEmpty() ? "" : "; ").append(sentence);
    }
}
