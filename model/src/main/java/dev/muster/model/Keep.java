package dev.muster.model;

import java.time.Duration;
import java.util.Optional;

/**
 * How long things of an ended job are kept; an absent duration means for ever.
 *
 * @param processes the backend's objects (containers, pods, process folders)
 * @param logs      logs of every attempt
 * @param records   the job's record and events
 */
public record Keep(Optional<Duration> processes, Optional<Duration> logs, Optional<Duration> records) {
    public static final Keep DEFAULT =
            new Keep(Optional.of(Duration.ZERO), Optional.of(Duration.ofDays(30)), Optional.empty());
}
