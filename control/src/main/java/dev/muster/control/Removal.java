package dev.muster.control;

import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.spi.Backend;
import dev.muster.spi.BackendException;
import dev.muster.spi.Lease;
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
        forget(job.id());
    }

    private void forget(JobId id) {
        reconciler.cells().drop(id);
        reconciler.board().forget(id);
    }

    /**
     * Removes a job whose record cannot be read, and ends what runs of it where this replica reaches it; what it does not is found later, as are
     * all processes of jobs that are not stored.
     *
     * @return false when it can be read, or is not there
     */
    boolean discard(JobId id) throws IOException {
        Optional<Cell> cell = reconciler.cells().known(id);
        cell.ifPresent(found -> found.lock.lock());
        try {
            if (!ports.store().deleteUnreadable(id)) {
                return false;
            }
            forget(id);
            ports.backends().values().forEach(backend -> endOn(backend, id));
            ports.telemetry().forget(id);
            ports.checkpoints().forget(id);
            surroundings.files().removeAll(id);
            return true;
        } finally {
            cell.ifPresent(found -> found.lock.unlock());
        }
    }

    private void endOn(Backend backend, JobId id) {
        try {
            Optional<Lease> lease = reconciler.sites().lease(reconciler.sites().siteOf(backend.kind()));
            if (lease.isPresent()
                    && backend.jobs().contains(id)
                    && Leftovers.end(backend, id, () -> reconciler.sites().mayAct(lease.get()))) {
                backend.release(id);
                backend.remove(id);
            }
        } catch (BackendException | RuntimeException e) {
            surroundings.monitor().retrying("ending what is left of job " + id, e);
        }
    }
}
