package dev.muster.control.decide;

import dev.muster.model.Attempt;
import dev.muster.model.ProcessKey;
import dev.muster.spi.Sighting.Seen;
import java.util.HashSet;
import java.util.Set;

/** What runs though it should not: older attempts, or one whose end is already on record. */
public final class Strays {
    private Strays() {}

    static boolean any(Turn turn) {
        Set<ProcessKey> wanted = wanted(turn);
        return turn.seen.sightings().entrySet().stream()
                .anyMatch(sighting -> runs(sighting.getValue()) && !wanted.contains(sighting.getKey()));
    }

    static void kill(Turn turn) {
        Set<ProcessKey> wanted = wanted(turn);
        turn.seen.sightings().forEach((key, sighting) -> {
            if (runs(sighting) && !wanted.contains(key)) {
                turn.act(new Effect.Kill(key));
            }
        });
    }

    /** Whether something of the attempt runs, or is about to. */
    public static boolean runs(Seen seen) {
        return switch (seen) {
            case Seen.Starting ignored -> true;
            case Seen.Running ignored -> true;
            case Seen.Ended ignored -> false;
            case Seen.Vanished ignored -> false;
        };
    }

    private static Set<ProcessKey> wanted(Turn turn) {
        Set<ProcessKey> wanted = new HashSet<>();
        for (Attempt attempt : turn.processes()) {
            if (turn.alive(attempt)) {
                wanted.add(turn.key(attempt));
            }
        }
        return wanted;
    }
}
