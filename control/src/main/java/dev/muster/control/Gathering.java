package dev.muster.control;

import dev.muster.control.decide.Watch;
import dev.muster.model.ProcessKey;
import dev.muster.spi.Evidence;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Evidence of one standstill while it is being gathered. What comes late comes into this one, not into that of a later standstill.
 *
 * @param standstill since when nobody went on
 * @param begunAt    when it was first asked for
 * @param asked      attempts that were asked
 * @param evidence   what has come
 */
record Gathering(Instant standstill, Instant begunAt, Set<ProcessKey> asked, Map<ProcessKey, Evidence> evidence) {
    static Gathering begin(Instant standstill, Instant now) {
        return new Gathering(standstill, now, ConcurrentHashMap.newKeySet(), new ConcurrentHashMap<>());
    }

    Watch.Gathering told() {
        return new Watch.Gathering(standstill, begunAt, evidence);
    }
}
