package dev.muster.control.decide;

import dev.muster.model.Cause;
import dev.muster.model.ProcessKey;
import dev.muster.spi.Telemetry.LogFindings;
import java.util.Map;
import java.util.Set;

/**
 * What was done for a job in this life of the service. Nothing here survives the service: what is missing is done again.
 *
 * @param findings      of each attempt whose logs are read to the end
 * @param swept         attempts of which nothing is left
 * @param followed      attempts whose output is followed
 * @param refusedStarts attempts that could not be started
 * @param refusals      what was wrong with reports of each attempt, and is wrong around it, and is among the events
 * @param checkpoints   reported checkpoints that were dealt with
 * @param checkpointsKept whether superfluous checkpoints of the attempt that is over are gone
 * @param stopFile      whether the stop file of the current attempt is written
 * @param released      whether the backend holds nothing for it any more
 * @param removed       whether the backend has forgotten it
 * @param withdrawn     attempts whose member holds nothing any more though the group goes on
 */
public record Done(
        Map<ProcessKey, LogFindings> findings,
        Set<ProcessKey> swept,
        Set<ProcessKey> followed,
        Map<ProcessKey, RefusedStart> refusedStarts,
        Map<ProcessKey, Set<String>> refusals,
        Set<String> checkpoints,
        boolean checkpointsKept,
        boolean stopFile,
        boolean released,
        boolean removed,
        Set<ProcessKey> withdrawn) {
    public static final Done NOTHING =
            new Done(Map.of(), Set.of(), Set.of(), Map.of(), Map.of(), Set.of(), false, false, false, false, Set.of());

    public Done {
        findings = Map.copyOf(findings);
        swept = Set.copyOf(swept);
        followed = Set.copyOf(followed);
        refusedStarts = Map.copyOf(refusedStarts);
        refusals = Map.copyOf(refusals);
        checkpoints = Set.copyOf(checkpoints);
        withdrawn = Set.copyOf(withdrawn);
    }

    /**
     * A start that the backend could not do.
     *
     * @param retry whether a new attempt may work
     */
    public record RefusedStart(Cause cause, String reason, boolean retry) {}
}
