package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Cause;
import dev.muster.model.Event;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What must hold of restarts, told from what happened and not from the counters in the record: max + 1 starts, and one start an admission. */
final class RestartInvariants {
    private static final Set<Cause> NOT_COUNTED = Set.of(Cause.PORT_LOST, Cause.PREEMPTED, Cause.NODE_LOST);

    private final Map<JobId, Integer> restarts = new HashMap<>();
    private final Map<JobId, Integer> admissions = new HashMap<>();
    private final Map<JobId, Map<ProcessName, Integer>> starts = new HashMap<>();

    /** A step of the job. */
    void happened(JobRecord job, Event event) {
        if (event.to().equals("Admitted") && !event.from().equals(Optional.of("Admitted"))) {
            admissions.merge(job.id(), 1, Integer::sum);
        }
        boolean restart = event.to().equals("Restarting") && !event.from().equals(Optional.of("Restarting"));
        if (restart && event.cause().filter(NOT_COUNTED::contains).isEmpty()) {
            restarts.merge(job.id(), 1, Integer::sum);
        }
        if (everyRestartCounts(job)) {
            assertThat(restarts.getOrDefault(job.id(), 0))
                    .as("restarts that happened to %s", job.id())
                    .isLessThanOrEqualTo(job.spec().restart().max());
        }
    }

    /** Where single processes restart, a peer that fails with one is started anew and not counted; a rule may say that nothing is. */
    private static boolean everyRestartCounts(JobRecord job) {
        return job.spec().restart().rules().isEmpty()
                && job.spec().elastic().isEmpty()
                && !job.spec().roles().containsKey("ps");
    }

    /** An attempt is started for the first time. */
    void started(JobRecord job, ProcessKey key) {
        if (job.spec().isStandby(key.name().role())) {
            return; // whoever took a place is followed by another
        }
        int count = starts.computeIfAbsent(job.id(), id -> new HashMap<>()).merge(key.name(), 1, Integer::sum);
        assertThat(count)
                .as("starts of %s of %s", key.name(), job.id())
                .isLessThanOrEqualTo(admissions.getOrDefault(job.id(), 0));
    }
}
