package dev.muster.artifacts.checkpoints;

import dev.muster.spi.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Whether a checkpoint has not changed for 2 seconds: either it was seen the same that long, by Muster's clock, or its newest time of
 * change lies that far back, by the clock of the file system that gave it. Not safe for several threads at once.
 */
final class Stillness {
    static final Duration LONG_ENOUGH = Duration.ofSeconds(2);

    /** The present time of a file system. */
    interface DiskClock {
        Instant now(Path folder) throws IOException;

        /** Asks by making a file, so that a service whose clock differs from the file server's is not misled. */
        DiskClock REAL = folder -> {
            Path probe = Files.createTempFile(folder, ".now", ".tmp");
            try {
                return Files.getLastModifiedTime(probe).toInstant();
            } finally {
                Files.deleteIfExists(probe);
            }
        };
    }

    private record Look(String signature, Instant first) {}

    private final Clock clock;
    private final DiskClock diskClock;
    private final Map<String, Look> looks = new HashMap<>();

    Stillness(Clock clock, DiskClock diskClock) {
        this.clock = clock;
        this.diskClock = diskClock;
    }

    /**
     * Looks at the entry now.
     *
     * @param beside a folder on the same file system where a file can be made for a moment
     */
    boolean isStill(Entry entry, Path beside) throws IOException {
        String signature = entry.signature();
        Instant now = clock.now();
        Look look = looks.get(entry.name());
        if (look == null || !look.signature().equals(signature)) {
            look = new Look(signature, now);
            looks.put(entry.name(), look);
        }
        return isLongEnough(look.first(), now) || isLongEnough(entry.touched().toInstant(), diskClock.now(beside));
    }

    void keepOnly(Set<String> names) {
        looks.keySet().retainAll(names);
    }

    private static boolean isLongEnough(Instant since, Instant now) {
        return Duration.between(since, now).compareTo(LONG_ENOUGH) >= 0;
    }
}
