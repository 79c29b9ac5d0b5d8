package dev.muster.control;

import dev.muster.control.decide.Strays;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.spi.Backend;
import dev.muster.spi.BackendException;
import dev.muster.spi.Sighting;
import java.io.IOException;
import java.util.Optional;

/** Finds what a backend still has though nobody needs it: orphans of jobs the store does not know, and what is left of ended jobs. */
final class TidyUp {
    private final Ports ports;
    private final Surroundings surroundings;
    private final Reconciler reconciler;

    TidyUp(Ports ports, Surroundings surroundings, Reconciler reconciler) {
        this.ports = ports;
        this.surroundings = surroundings;
        this.reconciler = reconciler;
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
                reconciler.removal().alone(id, () -> end(backend, id));
                reconciler.wake(id); // its objects go when keep.processes has passed
            }
        } catch (BackendException | IOException | RuntimeException e) {
            surroundings.monitor().retrying("ending what is left of job " + id, e);
        }
    }

    private static void end(Backend backend, JobId id) throws BackendException {
        for (Sighting sighting : backend.observe(id)) {
            if (Strays.runs(sighting.state())) {
                backend.stop(sighting.key(), Backend.StopHow.KILL);
                backend.sweep(sighting.key());
            }
        }
    }
}
