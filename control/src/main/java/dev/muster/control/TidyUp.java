package dev.muster.control;

import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.spi.Backend;
import dev.muster.spi.BackendException;
import dev.muster.spi.Lease;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Finds what is still there though nobody needs it: on backends, orphans of jobs the store does not know, what is left of ended jobs and what runs of waiting and suspended ones;
 * in the registry, models of such jobs that were begun to be registered when a service died.
 */
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
        abandonModels();
        for (Backend backend : ports.backends().values()) {
            Optional<Lease> lease = reconciler.sites().lease(reconciler.sites().siteOf(backend.kind()));
            try {
                for (JobId id : lease.isPresent() ? backend.jobs() : Set.<JobId>of()) {
                    if (reconciler.sites().mayAct(lease.get())) {
                        look(backend, id, () -> reconciler.sites().mayAct(lease.get()));
                    }
                }
            } catch (BackendException | RuntimeException e) {
                surroundings
                        .monitor()
                        .retrying("looking for orphans on " + backend.kind().text(), e);
            }
        }
    }

    /** A job that is still Publishing takes its half-registered model up by itself. */
    private void abandonModels() {
        try {
            ports.models().unfinished().forEach(this::abandonModel);
        } catch (RuntimeException e) {
            surroundings.monitor().retrying("looking for models that were never registered", e);
        }
    }

    private void abandonModel(JobId id) {
        try {
            reconciler.removal().alone(id, () -> {
                Optional<JobRecord> job = ports.store().find(id);
                if (job.isEmpty() || job.get().state().isFinal()) {
                    ports.models().abandon(id);
                }
            });
        } catch (BackendException | IOException | RuntimeException e) {
            surroundings.monitor().retrying("removing what is left of the model of job " + id, e);
        }
    }

    private void look(Backend backend, JobId id, BooleanSupplier mayAct) {
        try {
            Optional<JobRecord> job = ports.store().find(id);
            if (job.isEmpty()) {
                if (Leftovers.end(backend, id, mayAct)) {
                    backend.release(id);
                    backend.remove(id);
                }
            } else if (!job.get().state().holdsCapacity()) {
                reconciler.removal().alone(id, () -> endUnlessAdmitted(backend, id, mayAct));
                reconciler.wake(id); // objects of an ended one go when keep.processes has passed
            }
        } catch (BackendException | IOException | RuntimeException e) {
            surroundings.monitor().retrying("ending what is left of job " + id, e);
        }
    }

    /** A job that waits may have been admitted since it was looked at. */
    private void endUnlessAdmitted(Backend backend, JobId id, BooleanSupplier mayAct) throws BackendException {
        if (ports.store().find(id).filter(job -> job.state().holdsCapacity()).isEmpty()) {
            Leftovers.end(backend, id, mayAct);
        }
    }
}
