package dev.muster.control.schedule;

import dev.muster.model.JobId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What follows for the queues.
 *
 * @param starting     who starts now, in order, each with what it was found room for
 * @param never        who can never fit, as the whole capacity has shrunk
 * @param preempted    who is to make room
 * @param again        when the passing of time alone may change the outcome; empty when only news can
 */
public record Outcome(List<Claim> starting, List<JobId> never, List<Preemption> preempted, Optional<Instant> again) {
    public Outcome {
        starting = List.copyOf(starting);
        never = List.copyOf(never);
        preempted = List.copyOf(preempted);
    }

    /** Who starts now, in order. */
    public List<JobId> admitted() {
        return starting.stream().map(Claim::id).toList();
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
