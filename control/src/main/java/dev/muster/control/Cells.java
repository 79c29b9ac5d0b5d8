package dev.muster.control;

import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.spi.Lease;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The cells of the jobs this service drives. Any thread may call. */
final class Cells {
    private final ConcurrentMap<JobId, Cell> cells = new ConcurrentHashMap<>();
    private final Ports ports;

    Cells(Ports ports) {
        this.ports = ports;
    }

    /** The cell for a record that is stored, driven under the lease. One of an older lease is another life's: nothing of it is taken over. */
    Cell load(JobRecord job, Lease lease) {
        return cells.compute(job.id(), (id, known) -> {
            if (known != null && known.lease.equals(Optional.of(lease))) {
                return known;
            }
            Cell cell = new Cell(id, Optional.of(lease));
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

    /** The jobs that are driven. */
    Set<JobId> ids() {
        return Set.copyOf(cells.keySet());
    }

    /** The jobs that are driven under the lease. */
    List<JobId> of(Lease lease) {
        return cells.values().stream()
                .filter(cell -> cell.lease.equals(Optional.of(lease)))
                .map(cell -> cell.id)
                .sorted()
                .toList();
    }

    void drop(JobId id) {
        cells.remove(id);
    }

    void drop(Cell cell) {
        cells.remove(cell.id, cell);
    }
}
