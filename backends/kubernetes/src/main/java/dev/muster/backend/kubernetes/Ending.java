package dev.muster.backend.kubernetes;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * What the shim of a pod wrote about an end, finer than the seconds the kubelet tells.
 *
 * @param startedAt when the program was started; empty when it never was
 * @param endedAt   when it ended
 * @param message   why it could not be run, empty otherwise
 */
record Ending(Optional<Instant> startedAt, Instant endedAt, Optional<String> message) {
    /** As {@code stat -c %y} writes times. */
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.nnnnnnnnn xx");

    /** Reads a termination message; empty where it is not the shim's. */
    static Optional<Ending> parse(String text) {
        String[] lines = text.split("\n", 4);
        if (lines.length < 3 || !lines[0].equals("muster")) {
            return Optional.empty();
        }
        return time(lines[2])
                .map(end -> new Ending(
                        time(lines[1]),
                        end,
                        lines.length > 3 && !lines[3].isBlank() ? Optional.of(lines[3].strip()) : Optional.empty()));
    }

    /** A time as a shim writes it. */
    static Optional<Instant> time(String text) {
        try {
            return Optional.of(TIME.parse(text, Instant::from));
        } catch (DateTimeException none) {
            return Optional.empty();
        }
    }
}
