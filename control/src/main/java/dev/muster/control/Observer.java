package dev.muster.control;

import dev.muster.control.decide.Observations;
import dev.muster.control.decide.Publication;
import dev.muster.control.decide.Watch;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.ProcessKey;
import dev.muster.spi.BackendException;
import dev.muster.spi.Sighting;
import dev.muster.spi.Telemetry.Signs;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Looks at everything a decision needs. Used under the job's lock. */
final class Observer {
    private final Ports ports;
    private final Monitor monitor;

    Observer(Ports ports, Monitor monitor) {
        this.ports = ports;
        this.monitor = monitor;
    }

    Observations observe(Cell cell, Instant now) {
        JobRecord job = cell.job();
        if (!job.state().holdsCapacity()) {
            return new Observations(
                    Optional.empty(),
                    Map.of(),
                    cell.done(),
                    cell.preparation,
                    cell.publication,
                    Signs.NONE,
                    Watch.NOTHING);
        }
        Cell.Look look = look(cell, job, now);
        Signs signs = ports.telemetry().signs(job.id());
        note(cell, signs, now);
        if (look.contact().isPresent()) {
            cell.progress.withoutContact(now);
        }
        return new Observations(
                look.contact(),
                look.sightings(),
                cell.done(),
                cell.preparation,
                publication(cell),
                signs,
                new Watch(cell.progress.since(), cell.progress.lastProgress(), cell.gathering.map(Gathering::told)));
    }

    /** News of what processes say come often; they are no reason to look at a running group more than now and then. */
    private Cell.Look look(Cell cell, JobRecord job, Instant now) {
        if (job.state() == JobState.PUBLISHING) {
            return new Cell.Look(now, Optional.empty(), Map.of());
        }
        boolean recent = !cell.look
                && cell.lastLook
                        .filter(last -> last.contact().isEmpty()
                                && now.isBefore(last.at().plus(Reconciler.RESYNC)))
                        .isPresent();
        if (!recent) {
            cell.look = false;
            cell.lastLook = Optional.of(lookNow(job, now));
            measure(cell, now);
        }
        return cell.lastLook.orElseThrow();
    }

    /** Who is busy while others wait tells a straggler, of a group that runs; what cannot be measured stays unknown. */
    private void measure(Cell cell, Instant now) {
        JobRecord job = cell.job();
        if (job.state() != JobState.RUNNING || job.processes().size() < 2 || !cell.cores.isDue(now)) {
            return;
        }
        try {
            cell.cores.note(ports.backend(job.spec()).wantedCores(job.id()), now);
        } catch (BackendException | RuntimeException failed) {
            monitor.retrying("measuring processes of job " + job.id(), failed);
        }
    }

    private Cell.Look lookNow(JobRecord job, Instant now) {
        Map<ProcessKey, Sighting.Seen> sightings = new LinkedHashMap<>();
        try {
            for (Sighting sighting : ports.backend(job.spec()).observe(job.id())) {
                sightings.put(sighting.key(), sighting.state());
            }
        } catch (BackendException e) {
            return new Cell.Look(now, Optional.of(e.getMessage()), Map.of());
        }
        return new Cell.Look(now, Optional.empty(), sightings);
    }

    /** Progress that cannot be stored now is stored later; nothing else waits for it. */
    private void note(Cell cell, Signs signs, Instant now) {
        try {
            cell.progress.note(ports.store(), cell.id, signs, now, false);
        } catch (RuntimeException e) {
            monitor.retrying("storing the progress of job " + cell.id, e);
        }
    }

    /** A job that is cancelled while its model may be becoming visible has to know whether it is. */
    private Publication publication(Cell cell) {
        JobRecord job = cell.job();
        boolean asks = job.state() == JobState.STOPPING
                && job.status().target().equals(Optional.of(JobState.CANCELLED))
                && job.spec().model().isPresent()
                && !(cell.publication instanceof Publication.Working);
        if (asks) {
            return ports.models()
                    .of(job.id())
                    .<Publication>map(Publication.Done::new)
                    .orElse(cell.publication);
        }
        return cell.publication;
    }
}
