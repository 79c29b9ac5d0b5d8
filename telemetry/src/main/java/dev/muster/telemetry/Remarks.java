package dev.muster.telemetry;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Counts what went wrong by kind, and says it at most every 10 seconds a kind, so that a flood of faults is a few lines. */
final class Remarks {
    private static final Duration APART = Duration.ofSeconds(10);
    private static final int MOST_KINDS = 50;
    private final Consumer<String> out;
    private final Map<String, Kind> kinds = new LinkedHashMap<>();

    /** One kind of fault. */
    private static final class Kind {
        private long count;
        private long told;
        private Instant toldAt = Instant.MIN;
    }

    Remarks(Consumer<String> out) {
        this.out = out;
    }

    void add(String text) {
        if (kinds.size() < MOST_KINDS || kinds.containsKey(text)) {
            kinds.computeIfAbsent(text, kind -> new Kind()).count++;
        }
    }

    void tell(Instant now) {
        kinds.forEach((text, kind) -> {
            if (kind.count > kind.told && (kind.told == 0 || !now.isBefore(kind.toldAt.plus(APART)))) {
                kind.told = kind.count;
                kind.toldAt = now;
                out.accept(kind.count == 1 ? text : text + " (" + kind.count + " times)");
            }
        });
    }

    /** How often anything was counted. */
    long count() {
        return kinds.values().stream().mapToLong(kind -> kind.count).sum();
    }
}
