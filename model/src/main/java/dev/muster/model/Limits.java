package dev.muster.model;

import java.time.Duration;
import java.util.Optional;

/**
 * The bounds of time of a job.
 *
 * @param deadline      of the training, from the first start on, through restarts, standing still while Suspended or Queued again
 * @param startDeadline of each attempt, from Admitted until all have joined
 * @param queueDeadline of waiting in the queue
 * @param stallTimeout  without progress
 * @param grace         from the request to stop until the processes are killed
 */
public record Limits(
        Optional<Duration> deadline,
        Duration startDeadline,
        Optional<Duration> queueDeadline,
        Optional<StallTimeout> stallTimeout,
        Duration grace) {
    public static final Limits DEFAULT = new Limits(
            Optional.empty(), Duration.ofMinutes(10), Optional.empty(), Optional.empty(), Duration.ofSeconds(30));
}
