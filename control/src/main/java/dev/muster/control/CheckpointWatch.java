package dev.muster.control;

import dev.muster.model.JobId;
import dev.muster.model.JobSpec;
import dev.muster.model.JobState;
import java.time.Duration;
import java.time.Instant;

/**
 * Looks at the checkpoints of running jobs now and then, so that those of jobs that report none are recorded too while they are fresh, and
 * go when {@code checkpoints.keep} says so. Beside the loop, for a folder may be large or its disk slow. Used under the job's lock.
 */
final class CheckpointWatch {
    static final Duration PERIOD = Duration.ofSeconds(10);

    private final Ports ports;
    private final Surroundings surroundings;

    CheckpointWatch(Ports ports, Surroundings surroundings) {
        this.ports = ports;
        this.surroundings = surroundings;
    }

    /** Begins a look when the last one is over and long enough ago; the first comes a period after the job began to run. */
    void look(Cell cell, Instant now) {
        if (cell.job().state() != JobState.RUNNING) {
            cell.checkpointsLookedAt = Instant.MAX;
        } else if (cell.checkpointsLookedAt.equals(Instant.MAX)) {
            cell.checkpointsLookedAt = now;
        } else if (!cell.lookingAtCheckpoints && !now.isBefore(cell.checkpointsLookedAt.plus(PERIOD))) {
            cell.checkpointsLookedAt = now;
            cell.lookingAtCheckpoints = true;
            JobSpec spec = cell.job().spec();
            surroundings.slow().execute(() -> {
                try {
                    look(cell.id, spec);
                } catch (RuntimeException e) {
                    surroundings.monitor().retrying("looking at the checkpoints of job " + cell.id, e);
                } finally {
                    cell.lookingAtCheckpoints = false;
                }
            });
        }
    }

    private void look(JobId id, JobSpec spec) {
        ports.checkpoints().list(id);
        if (spec.checkpoints().keep().isPresent()) {
            ports.checkpoints().prune(id, spec.checkpoints().keep().getAsInt(), false);
        }
    }
}
