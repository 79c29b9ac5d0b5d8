package dev.muster.control.decide;

import dev.muster.model.Attempt;
import dev.muster.model.Cause;
import dev.muster.model.ProcessState;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * Processes that are held ready to take the place of lost ones. The backend hands a place to one of them when it starts a process; the one held
 * ready has then ended with 0, and another comes. They have no part in the group: nobody waits for them, their end is nobody's failure, and a
 * restart of the group leaves them as they are, for it is what they are there for. They are started while the group runs, so
 * that they take no core from its own start.
 */
final class Standby {
    /** How long after one was lost another comes. */
    private static final Duration PAUSE = Duration.ofSeconds(10);

    /** After these another one would fare better. */
    private static final Set<Cause> CHANCE = EnumSet.of(Cause.KILLED, Cause.LOST, Cause.NODE_LOST, Cause.PREEMPTED);

    private Standby() {}

    static boolean is(Turn turn, Attempt attempt) {
        return turn.spec().isStandby(attempt.name().role());
    }

    /** Starts those that are lacking. */
    static void tend(Turn turn) {
        for (int index = 0; index < turn.processes().size(); index++) {
            if (is(turn, turn.processes().get(index))) {
                tend(turn, index);
            }
        }
    }

    private static void tend(Turn turn, int index) {
        Attempt attempt = turn.processes().get(index);
        if (attempt.state().isOver() && mayFollow(turn, attempt)) {
            turn.draft.process(index, Attempt.waiting(attempt.name(), attempt.attempt() + 1, turn.draft.attempt));
        } else if (attempt.state() == ProcessState.WAITING) {
            turn.draft.process(index, Attempts.inState(attempt, ProcessState.STARTING));
        } else if (turn.awaitsStart(attempt)
                && !turn.seen.done().refusedStarts().containsKey(turn.key(attempt))) {
            start(turn, attempt);
        }
    }

    /** One that failed by itself would fail again: it is tried again with the group only. */
    private static boolean mayFollow(Turn turn, Attempt attempt) {
        Attempt.Exit exit = attempt.exit().orElseThrow();
        boolean tried = exit.cause().isEmpty()
                || attempt.groupAttempt() < turn.draft.attempt
                || CHANCE.contains(exit.cause().get()) && turn.reached(exit.at(), PAUSE);
        // Its end is on record before the next attempt takes its place there.
        return tried && turn.gone(attempt) && turn.job().processes().contains(attempt);
    }

    /** A start that cannot be prepared is none: the group goes on as well without. */
    private static void start(Turn turn, Attempt attempt) {
        switch (turn.seen.preparation()) {
            case Preparation.Ready ready -> {
                if (turn.draft.placement.isPartOf(ready.placement())) {
                    Absorption.follow(turn, attempt);
                    turn.act(new Effect.StartProcess(turn.key(attempt)));
                }
            }
            case Preparation.Failed ignored -> {}
            case Preparation other -> AdmittedStep.prepare(turn);
        }
    }
}
