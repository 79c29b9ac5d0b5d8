package dev.muster.control.decide;

import java.time.Duration;

/** Running: all have joined. */
final class RunningStep {
    /** A group that ran so long has made progress even if it reports none. */
    private static final Duration LONG = Duration.ofMinutes(10);

    private RunningStep() {}

    static void decide(Turn turn) {
        Absorption.absorb(turn);
        Elasticity.letGo(turn);
        if (Success.holds(turn)) {
            Ends.succeed(turn);
        } else if (!Settling.judge(turn) && !Deadlines.training(turn) && !Stall.judge(turn)) {
            Elasticity.tell(turn);
            Standby.tend(turn);
            if (turn.draft.uncounted > 0 && progressed(turn)) {
                turn.draft.uncounted = 0;
            }
        }
    }

    private static boolean progressed(Turn turn) {
        return turn.seen.signs().progress().step().isPresent()
                || !turn.seen.signs().checkpoints().isEmpty()
                || turn.draft.admittedAt.map(at -> turn.reached(at, LONG)).orElse(false);
    }
}
