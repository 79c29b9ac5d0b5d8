package dev.muster.control;

import dev.muster.model.ProcessKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** Cores that attempts wanted over the last looks. Noted under the job's lock, read by anybody. */
final class CoreWatch {
    /** So many looks are needed, and averaged: a moment says nothing. */
    private static final int LOOKS = 3;

    /** Looks that come together, as something happens, are one. */
    private static final Duration APART = Duration.ofSeconds(3);

    private final Map<ProcessKey, Deque<Double>> recent = new HashMap<>();
    private Instant notedAt = Instant.MIN;
    private volatile Map<ProcessKey, Double> wanted = Map.of();

    boolean isDue(Instant now) {
        return notedAt.equals(Instant.MIN) || !now.isBefore(notedAt.plus(APART));
    }

    void note(Map<ProcessKey, Double> now, Instant at) {
        notedAt = at;
        recent.keySet().retainAll(now.keySet());
        Map<ProcessKey, Double> averages = new HashMap<>();
        now.forEach((key, cores) -> {
            Deque<Double> looks = recent.computeIfAbsent(key, first -> new ArrayDeque<>());
            looks.addLast(cores);
            if (looks.size() > LOOKS) {
                looks.removeFirst();
            }
            if (looks.size() == LOOKS) {
                averages.put(
                        key,
                        looks.stream()
                                .mapToDouble(Double::doubleValue)
                                .average()
                                .orElse(0));
            }
        });
        wanted = Map.copyOf(averages);
    }

    /** The averages of those that were seen often enough. */
    Map<ProcessKey, Double> wanted() {
        return wanted;
    }
}
