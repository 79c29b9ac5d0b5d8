package dev.muster.backend.kubernetes;

import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * What a pod was before its process, held ready, became the attempt that it is.
 *
 * @param key       the attempt that was held ready
 * @param startedAt when that was started
 * @param takenAt   when it ended by becoming the other
 */
record Held(ProcessKey key, Instant startedAt, Instant takenAt) {
    /** By clocks of two machines it may have ended before it began. */
    Held {
        startedAt = startedAt.isAfter(takenAt) ? takenAt : startedAt;
    }

    /** As it stands on the pod. */
    String text() {
        return String.join(" ", key.name().toString(), Integer.toString(key.attempt()), startedAt + "", takenAt + "");
    }

    /** Reads what {@link #text} wrote. */
    static Optional<Held> parse(JobId job, String text) {
        String[] words = text.split(" ", -1);
        if (words.length != 4) {
            return Optional.empty();
        }
        try {
            int attempt = Integer.parseInt(words[1]);
            return ProcessName.parse(words[0])
                    .map(name -> new Held(
                            new ProcessKey(job, name, attempt), Instant.parse(words[2]), Instant.parse(words[3])));
        } catch (IllegalArgumentException | DateTimeException foreign) {
            return Optional.empty();
        }
    }
}
