package dev.muster.control.schedule;

import dev.muster.model.JobId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What follows for the queues.
 *
 * @param admitted     who starts now, in order
 * @param never        who can never fit, as the whole capacity has shrunk
 * @param preempted    who is to make room
 * @param again        when the passing of time alone may change the outcome; empty when only news can
 */
public record Outcome(List<JobId> admitted, List<JobId> never, List<Preemption> preempted, Optional<Instant> again) {
    public Outcome {
        admitted = List.copyOf(admitted);
        never = List.copyOf(never);
        preempted = List.copyOf(preempted);
    }

    /**
     * A job that is to make room.
     *
     * @param victim who
     * @param by     for whom
     * @param reason in a few words
     */
    public record Preemption(JobId victim, JobId by, String reason) {}
}
