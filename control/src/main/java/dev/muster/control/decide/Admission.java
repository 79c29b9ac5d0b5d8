package dev.muster.control.decide;

import dev.muster.model.Capacity;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which waiting jobs take their place now: whole gangs only, higher priority first, then who waits longest. Nobody passes a job that
 * waits for room, so a large one is never starved by small ones. Pure.
 */
public final class Admission {
    private Admission() {}

    /** A job in the queue. */
    public record Waiting(JobId id, int priority, Instant queuedAt, Capacity demand) {
        /** The order in which jobs are admitted. */
        public static final Comparator<Waiting> ORDER = Comparator.comparingInt((Waiting job) -> -job.priority())
                .thenComparing(Waiting::queuedAt)
                .thenComparing(Waiting::id);

        /** The job as it waits. */
        public static Waiting of(JobRecord job) {
            return new Waiting(job.id(), job.spec().priority(), job.times().queuedAt(), Demand.of(job.spec()));
        }
    }

    /**
     * What follows for the queue.
     *
     * @param admitted who starts now, in order
     * @param never    who can never fit as the whole capacity has shrunk
     */
    public record Outcome(List<JobId> admitted, List<JobId> never) {
        public Outcome {
            admitted = List.copyOf(admitted);
            never = List.copyOf(never);
        }
    }

    /**
     * Decides.
     *
     * @param waiting in {@link Waiting#ORDER}; read only as far as needed
     * @param whole   everything there is
     * @param held    what jobs that hold capacity take
     */
    public static Outcome admit(Iterable<Waiting> waiting, Capacity whole, Capacity held) {
        List<JobId> admitted = new ArrayList<>();
        List<JobId> never = new ArrayList<>();
        Capacity free = whole.minus(held);
        for (Waiting job : waiting) {
            if (!job.demand().fitsIn(whole)) {
                never.add(job.id());
            } else if (job.demand().fitsIn(free)) {
                admitted.add(job.id());
                free = free.minus(job.demand());
            } else {
                break;
            }
        }
        return new Outcome(admitted, never);
    }
}
