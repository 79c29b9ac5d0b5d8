package dev.muster.control;

import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.spi.Backend;
import dev.muster.spi.BackendException;
import dev.muster.spi.Sighting;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** Finds what a backend still keeps though nobody needs it: orphans of jobs the store does not know, and objects of ended jobs. */
final class TidyUp {
    private final Ports ports;
    private final Surroundings surroundings;
    private final Consumer<JobId> wake;

    TidyUp(Ports ports, Surroundings surroundings, Consumer<JobId> wake) {
        this.ports = ports;
        this.surroundings = surroundings;
        this.wake = wake;
    }

    void run() {
        for (Backend backend : ports.backends().values()) {
            try {
                for (JobId id : backend.jobs()) {
                    look(backend, id);
                }
            } catch (BackendException | RuntimeException e) {
                surroundings
                        .monitor()
                        .retrying("looking for orphans on " + backend.kind().text(), e);
            }
        }
    }

    private void look(Backend backend, JobId id) {
        try {
            Optional<JobRecord> job = ports.store().find(id);
            if (job.isEmpty()) {
                end(backend, id);
                backend.release(id);
                backend.remove(id);
            } else if (job.get().state().isFinal()) {
                end(backend, id);
                if (isDue(job.get())) {
                    wake.accept(id);
                }
            }
        } catch (BackendException | RuntimeException e) {
            surroundings.monitor().retrying("ending what is left of job " + id, e);
        }
    }

    private void end(Backend backend, JobId id) throws BackendException {
        for (Sighting sighting : backend.observe(id)) {
            if (Strays.runs(sighting.state())) {
                backend.stop(sighting.key(), Backend.StopHow.KILL);
                backend.sweep(sighting.key());
            }
        }
    }

    private boolean isDue(JobRecord job) {
        Optional<Duration> keep = job.spec().keep().processes();
        return keep.isPresent()
                && !surroundings
                        .clock()
                        .now()
                        .isBefore(job.times().finishedAt().orElseThrow().plus(keep.get()));
    }
}
