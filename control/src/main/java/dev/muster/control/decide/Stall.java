package dev.muster.control.decide;

import dev.muster.model.Attempt;
import dev.muster.model.Cause;
import dev.muster.model.ProcessKey;
import dev.muster.spi.Evidence;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A group that does not go on is looked at before it is ended: who is the suspect, and why. Then it is tried again like a killed group.
 * What comes while it is looked at counts: a group that goes on again is left alone.
 */
final class Stall {
    /** How long evidence is waited for. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private Stall() {}

    /** True when it has ended the attempt of the group. */
    static boolean judge(Turn turn) {
        Optional<Standstill> found = Standstill.of(turn);
        if (found.isEmpty()) {
            return false;
        }
        Standstill standstill = found.get();
        Optional<Watch.Gathering> gathering =
                turn.seen.watch().gathering().filter(known -> known.standstill().equals(standstill.since()));
        Map<ProcessKey, Evidence> evidence =
                gathering.map(Watch.Gathering::evidence).orElse(Map.of());
        if (!isGathered(turn, standstill.since(), evidence) && !isOverdue(turn, gathering)) {
            return false;
        }
        Optional<String> suspect = Suspects.of(turn, evidence);
        Ends.restart(
                turn,
                Cause.STALLED,
                Cause.STALLED.because(
                        standstill.what() + suspect.map(who -> "; " + who).orElse("")),
                Verdict.ofGroup(true));
        return true;
    }

    private static boolean isGathered(Turn turn, Instant since, Map<ProcessKey, Evidence> evidence) {
        List<ProcessKey> missing = turn.processes().stream()
                .filter(turn::alive)
                .map((Attempt attempt) -> turn.key(attempt))
                .filter(key -> !evidence.containsKey(key))
                .toList();
        missing.forEach(key -> turn.act(new Effect.GatherEvidence(key, since)));
        return missing.isEmpty();
    }

    private static boolean isOverdue(Turn turn, Optional<Watch.Gathering> gathering) {
        return gathering.map(begun -> turn.reached(begun.begunAt(), PATIENCE)).orElse(false);
    }
}
