package dev.muster.control.decide;

import java.time.Duration;
import java.util.Optional;

/** Succeeded, Failed, Cancelled: nothing changes any more; what the backend keeps goes after {@code keep.processes}. */
final class FinalStep {
    private FinalStep() {}

    static void decide(Turn turn) {
        Optional<Duration> keep = turn.spec().keep().processes();
        if (keep.isPresent()
                && !turn.seen.done().removed()
                && turn.reached(turn.job().times().finishedAt().orElse(turn.now), keep.get())) {
            turn.act(new Effect.RemoveObjects());
        }
    }
}
