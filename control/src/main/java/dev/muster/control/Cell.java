package dev.muster.control;

import dev.muster.control.decide.Conduct;
import dev.muster.control.decide.Done;
import dev.muster.control.decide.Effect;
import dev.muster.control.decide.Preparation;
import dev.muster.control.decide.Publication;
import dev.muster.control.decide.Snapshot;
import dev.muster.model.Attempt;
import dev.muster.model.Group;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.LaunchPlan;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.spi.Interpreter;
import dev.muster.spi.Lease;
import dev.muster.spi.Sighting;
import dev.muster.spi.Telemetry.LogFindings;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What this service knows of one job besides the store. Everything in it can be lost. Used under its lock, but for what slow work puts
 * into it.
 */
final class Cell {
    final JobId id;

    /** Under which the job is driven; empty for one that another replica drives. */
    final Optional<Lease> lease;

    final ReentrantLock lock = new ReentrantLock(true);

    private JobRecord job;

    /** Whether another record than {@link #job} may be stored: an answer of the store was lost, or another replica changed it. */
    volatile boolean uncertain;

    private LaunchPlan plan;
    private Conduct conduct;

    final Map<ProcessKey, LogFindings> findings = new HashMap<>();
    /** How often the log of an attempt could not be read. */
    final Map<ProcessKey, Integer> unreadable = new HashMap<>();

    final Set<ProcessKey> swept = new HashSet<>();
    final Set<ProcessKey> followed = new HashSet<>();
    final Set<ProcessKey> withdrawn = new HashSet<>();
    final Map<ProcessKey, Done.RefusedStart> refusedStarts = new HashMap<>();
    final Map<ProcessKey, Set<String>> refusals = new HashMap<>();
    final Set<String> checkpoints = new HashSet<>();
    boolean stopFile;
    boolean checkpointsKept;
    /** When the checkpoints were last looked at unasked; MAX while the job does not run. */
    Instant checkpointsLookedAt = Instant.MAX;

    volatile boolean lookingAtCheckpoints;

    boolean released;
    boolean removed;

    /** What the backend was last seen to have, and when; empty before the first look. Read by any thread. */
    volatile Optional<Look> lastLook = Optional.empty();

    /** Whether the backend has to be looked at again, as something about the job may have changed there. */
    volatile boolean look = true;

    /** When an effect that may be repeated was last carried out. */
    final Map<Effect, Instant> executed = new HashMap<>();

    volatile Preparation preparation = new Preparation.None();
    volatile int interruptions;
    volatile Prepared prepared = Prepared.NOTHING;
    volatile Publication publication = new Publication.None();
    volatile int failedPublications;
    volatile Optional<Thread> publisher = Optional.empty();

    final ProgressWatch progress = new ProgressWatch();
    final CoreWatch cores = new CoreWatch();
    Optional<Gathering> gathering = Optional.empty();

    /** Runs in a row in which something failed. */
    int troubles;

    /**
     * One look at a backend.
     *
     * @param contact why it was not reached, in its own words; empty when it was
     */
    record Look(Instant at, Optional<String> contact, Map<ProcessKey, Sighting.Seen> sightings) {}

    /**
     * What slow work has made ready.
     *
     * @param interpreters Python of each role
     */
    record Prepared(Map<String, Interpreter> interpreters, Optional<String> resumeFrom, List<String> warnings) {
        static final Prepared NOTHING = new Prepared(Map.of(), Optional.empty(), List.of());
    }

    Cell(JobId id, Optional<Lease> lease) {
        this.id = id;
        this.lease = lease;
    }

    /** For one look at a job that another replica drives. */
    static Cell passing(JobRecord job, Ports ports) {
        Cell cell = new Cell(job.id(), Optional.empty());
        cell.take(job, ports);
        return cell;
    }

    JobRecord job() {
        return job;
    }

    /** The plan of those on record who are wanted. */
    LaunchPlan planOf(Predicate<Attempt> wanted) {
        Set<ProcessName> names =
                job.processes().stream().filter(wanted).map(Attempt::name).collect(Collectors.toSet());
        return plan.of(names::contains);
    }

    Snapshot snapshot() {
        return new Snapshot(job, plan, conduct);
    }

    /** Takes over a record that is stored. */
    void take(JobRecord next, Ports ports) {
        if (job == null || !job.spec().equals(next.spec())) {
            plan = ports.framework(next.spec()).plan(next.spec(), Group.largest(next.spec()));
            conduct = Conduct.of(ports.framework(next.spec()), ports.backend(next.spec()), next.spec());
        }
        boolean admitted = next.state() == JobState.ADMITTED && (job == null || job.state() != JobState.ADMITTED);
        job = next;
        if (admitted || !next.state().holdsCapacity()) {
            preparation = new Preparation.None();
            interruptions = 0;
            refusedStarts.clear();
            stopFile = false;
            checkpointsKept = false;
            released = false;
        }
        if (admitted) {
            executed.keySet().removeIf(effect -> !(effect instanceof Effect.AskStop));
            withdrawn.clear();
        }
    }

    /** Whether another record is stored by now, as when another replica has changed the job and the news of it are still on their way. */
    boolean isOutdated(Ports ports) {
        return !OptionalLong.of(job.version()).equals(ports.store().version(id));
    }

    Done done() {
        return new Done(
                findings,
                swept,
                followed,
                refusedStarts,
                refusals,
                checkpoints,
                checkpointsKept,
                stopFile,
                released,
                removed,
                withdrawn);
    }
}
