package dev.muster.control;

import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The cells of the jobs this service has to do with. Any thread may call. */
final class Cells {
    private final ConcurrentMap<JobId, Cell> cells = new ConcurrentHashMap<>();
    private final Ports ports;

    Cells(Ports ports) {
        this.ports = ports;
    }

    /** The cell of the job, read from the store when there is none yet; empty when there is no such job. */
    Optional<Cell> find(JobId id) {
        Cell cell = cells.get(id);
        return cell != null ? Optional.of(cell) : ports.store().find(id).map(this::load);
    }

    /** The cell for a record that is stored. */
    Cell load(JobRecord job) {
        return cells.computeIfAbsent(job.id(), id -> {
            Cell cell = new Cell(id);
            cell.take(job, ports);
            return cell;
        });
    }

    /** Takes the stored record as the truth again. */
    Cell reload(Cell cell) {
        cell.take(
                ports.store()
                        .find(cell.id)
                        .orElseThrow(() -> new IllegalStateException("job " + cell.id + " is no longer stored")),
                ports);
        return cell;
    }

    /** What is known without asking the store. */
    Optional<Cell> known(JobId id) {
        return Optional.ofNullable(cells.get(id));
    }

    void drop(JobId id) {
        cells.remove(id);
    }
}
