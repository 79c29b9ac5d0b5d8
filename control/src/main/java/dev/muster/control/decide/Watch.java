package dev.muster.control.decide;

import dev.muster.model.ProcessKey;
import dev.muster.spi.Evidence;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * What this service saw of the progress of a group. Time in which it did not look, or could not, counts for nobody.
 *
 * @param since      from when on it has looked without a gap; nothing that came before can be a standstill's begin
 * @param progressAt when there was the last sign of the chief's progress, not before {@code since}; empty while nothing is known
 * @param gathering  of evidence, of the standstill it was last asked for
 */
public record Watch(Optional<Instant> since, Optional<Instant> progressAt, Optional<Gathering> gathering) {
    public static final Watch NOTHING = new Watch(Optional.empty(), Optional.empty(), Optional.empty());

    /**
     * Evidence that was asked for.
     *
     * @param standstill since when nobody went on
     * @param begunAt    when it was first asked for
     * @param evidence   what has come
     */
    public record Gathering(Instant standstill, Instant begunAt, Map<ProcessKey, Evidence> evidence) {
        public Gathering {
            evidence = Map.copyOf(evidence);
        }
    }
}
