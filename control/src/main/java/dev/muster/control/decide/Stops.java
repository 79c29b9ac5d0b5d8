package dev.muster.control.decide;

import dev.muster.model.Attempt;
import dev.muster.model.ProcessState;
import java.time.Instant;

/** Ends processes: asked once, killed when the grace time has passed. That one was asked is on record before it is. */
final class Stops {
    private Stops() {}

    /** The whole group; who is held ready for its next attempt stays. */
    static void all(Turn turn) {
        for (int index = 0; index < turn.processes().size(); index++) {
            if (!Standby.is(turn, turn.processes().get(index))) {
                one(turn, index, turn.now);
            }
        }
    }

    /** Ends the process, asking it not before a moment. */
    static void one(Turn turn, int index, Instant notBefore) {
        Attempt attempt = turn.processes().get(index);
        if (!turn.alive(attempt)) {
            return;
        }
        if (turn.sighting(attempt).isEmpty() && attempt.startedAt().isEmpty()) {
            // Its start was ordered and did not happen; nobody orders it again.
            turn.draft.process(index, Attempts.inState(attempt, ProcessState.WAITING));
            return;
        }
        if (turn.sighting(attempt).map(seen -> !Strays.runs(seen)).orElse(true)) {
            return; // over, its log is being read
        }
        if (attempt.stopAsked().isEmpty()) {
            if (turn.reached(notBefore)) {
                attempt = Attempts.asked(attempt, turn.now);
                turn.draft.process(index, attempt);
            } else {
                return;
            }
        }
        if (turn.reached(attempt.stopAsked().orElseThrow(), turn.spec().limits().grace())) {
            turn.act(new Effect.Kill(turn.key(attempt)));
        } else {
            turn.act(new Effect.AskStop(turn.key(attempt)));
        }
    }
}
