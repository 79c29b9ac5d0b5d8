package dev.muster.control;

import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.spi.Backend;
import dev.muster.spi.BackendException;
import java.io.IOException;
import java.util.Optional;

/** Removes ended jobs, never beside anything else that is done about them. */
final class Removal {
    private final Ports ports;
    private final Surroundings surroundings;
    private final Reconciler reconciler;

    Removal(Ports ports, Surroundings surroundings, Reconciler reconciler) {
        this.ports = ports;
        this.surroundings = surroundings;
        this.reconciler = reconciler;
    }

    /** Something that is done about a job while nothing else is. */
    interface Alone {
        void run() throws IOException, BackendException;
    }

    /** Does something about a job while nothing else is done about it. */
    void alone(JobId id, Alone action) throws IOException, BackendException {
        Optional<Cell> cell = reconciler.cell(id);
        cell.ifPresent(found -> found.lock.lock());
        try {
            action.run();
        } finally {
            cell.ifPresent(found -> found.lock.unlock());
        }
    }

    /**
     * Removes an ended job with everything of it but registered models.
     *
     * @throws IOException when its files cannot all be removed; it is still there then
     */
    void delete(JobRecord job) throws IOException, BackendException {
        alone(job.id(), () -> {
            Backend backend = ports.backends().get(job.spec().backend());
            if (backend != null) {
                Leftovers.end(backend, job.id(), () -> true);
                backend.remove(job.id());
            }
            ports.telemetry().forget(job.id());
            ports.checkpoints().forget(job.id());
            surroundings.files().removeAll(job.id());
            ports.store().delete(job.id());
        });
        reconciler.cells().drop(job.id());
        reconciler.board().forget(job.id());
    }
}
