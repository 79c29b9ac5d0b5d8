package dev.muster.control;

import dev.muster.control.decide.Commands;
import dev.muster.control.decide.Decider;
import dev.muster.control.decide.Decision;
import dev.muster.control.decide.Demand;
import dev.muster.control.decide.Observations;
import dev.muster.control.schedule.Board;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.Site;
import dev.muster.spi.JobStore.StoreException;
import dev.muster.spi.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * Brings every job to where it should be: looks at it, decides, stores, acts, and again until nothing is left to do. One run per job at
 * a time; news during a run only mark the job. A job whose run fails is told, put off with back-off, and stops no other.
 *
 * <p>It has no thread of its own: {@link #takeWork} gives out what is due, to run on any number of threads at once. {@link ControlThreads} drives it
 * in a service, a test steps it.
 */
public final class Reconciler {
    static final Duration RESYNC = Duration.ofSeconds(5);
    private static final Duration RESYNC_STARTING = Duration.ofSeconds(1);
    private static final Duration TIDY_UP = Duration.ofSeconds(60);
    private static final Duration FIRST_RETRY = Duration.ofMillis(200);
    private static final Duration LAST_RETRY = Duration.ofSeconds(10);
    static final int MOST_ROUNDS = 100;

    private final Ports ports;
    private final Surroundings surroundings;
    private final Cells cells;
    private final Sites sites;
    private final Board board;
    private final WorkQueue<Task> queue;
    private final Observer observer;
    private final EffectRunner runner;
    private final AdmissionRun admissionRun;
    private final SiteRun siteRun;
    private final Elsewhere elsewhere;
    private final Removal removal;
    private final TidyUp tidyUp;
    private final CheckpointWatch checkpointWatch;
    private final Retention retention;
    private final AtOnce atOnce;
    private final TakeUp takeUp;

    /** @param onNews called when there may be work earlier than before; must return at once */
    public Reconciler(Ports ports, Surroundings surroundings, Runnable onNews) {
        this(ports, surroundings, onNews, AtOnce.IN_TURN);
    }

    /** @param atOnce runs what need not be done one after the other */
    Reconciler(Ports ports, Surroundings surroundings, Runnable onNews, AtOnce atOnce) {
        this.atOnce = atOnce;
        this.ports = ports;
        this.surroundings = surroundings;
        this.cells = new Cells(ports);
        this.sites =
                new Sites(ports.store().leases(), surroundings, ports.backends().keySet());
        this.board = new Board(surroundings.queues());
        this.queue = new WorkQueue<>(onNews);
        this.observer = new Observer(ports, surroundings.monitor());
        this.runner = new EffectRunner(
                ports,
                surroundings,
                sites,
                new Preparer(ports, surroundings, this::wake),
                new Publisher(ports, surroundings, sites, this::wake),
                new Gatherer(ports, surroundings, this::wake));
        this.admissionRun = new AdmissionRun(ports, surroundings, this);
        this.siteRun = new SiteRun(ports, surroundings, this);
        this.elsewhere = new Elsewhere(ports);
        this.removal = new Removal(ports, surroundings, this);
        this.tidyUp = new TidyUp(ports, surroundings, this);
        this.checkpointWatch = new CheckpointWatch(ports, surroundings);
        this.takeUp = new TakeUp(surroundings.clock(), surroundings.monitor());
        this.retention = new Retention(ports, surroundings, removal, sites);
    }

    /** Takes the sites that are free, takes up every job of them that is not final, and listens. Called once, before any work. */
    public void start() {
        ports.store().listen(this::changedElsewhere);
        takeUp.begin();
        queue.addAt(new Task.HoldSites(), siteRun.run());
        takeUp.found(cells.ids());
        ports.backends()
                .forEach((kind, backend) -> backend.listen(job -> {
                    if (sites.lease(sites.siteOf(kind)).isPresent()) {
                        wake(job);
                    }
                }));
        ports.telemetry().listen(this::said);
        queue.add(new Task.Admit());
        queue.add(new Task.TidyUp());
    }

    /** There is news about the job. Any thread; returns at once. */
    public void wake(JobId job) {
        cells.known(job).ifPresent(cell -> cell.look = true);
        queue.add(new Task.OfJob(job));
    }

    /** Another replica has changed the job. */
    private void changedElsewhere(JobId job) {
        cells.known(job).ifPresent(cell -> cell.uncertain = true);
        queue.add(new Task.OfJob(job));
        if (admissionRun.dependsOnOthers()) {
            queue.add(new Task.Admit());
        }
    }

    /** The processes of the job have said something. */
    private void said(JobId job) {
        queue.add(new Task.OfJob(job));
    }

    /** Takes one piece of work that is due, if there is one; it has to be run, on any thread. */
    public Optional<Runnable> takeWork() {
        return queue.poll(surroundings.clock().now()).map(task -> () -> {
            try {
                run(task);
            } finally {
                queue.done(task);
            }
        });
    }

    /** Runs one piece of work that is due, if there is one; true when there was. */
    public boolean doWork() {
        Optional<Runnable> work = takeWork();
        work.ifPresent(Runnable::run);
        return work.isPresent();
    }

    /** When there is work next: in the past when there is some now, empty when only news can bring some. */
    public Optional<Instant> nextWork() {
        return queue.next();
    }

    private void run(Task task) {
        try {
            switch (task) {
                case Task.OfJob of -> runJob(of.job());
                case Task.Admit ignored -> admissionRun.run();
                case Task.HoldSites ignored -> queue.addAt(task, siteRun.run());
                case Task.TidyUp ignored -> {
                    tidyUp.run();
                    retention.run();
                    queue.addAt(task, surroundings.clock().now().plus(TIDY_UP));
                }
            }
        } catch (RuntimeException e) {
            surroundings.monitor().retrying(task.toString(), e);
            queue.addAt(task, surroundings.clock().now().plus(LAST_RETRY));
        }
    }

    private void runJob(JobId id) {
        Optional<Cell> found = cell(id);
        if (found.isEmpty()) {
            return;
        }
        Cell cell = found.get();
        cell.lock.lock();
        try {
            if (!mayAct(cell)) {
                return; // it is woken when the lease is renewed, and dropped when it is lost
            }
            makeCertain(cell);
            cell.look |= cell.job().state() != JobState.RUNNING;
            Optional<Instant> next = reconcile(cell);
            if (mayAct(cell)) {
                checkpointWatch.look(cell, surroundings.clock().now());
            }
            takeUp.done(id);
            next.ifPresent(at -> queue.addAt(new Task.OfJob(id), at));
            if (cell.job().state().isFinal() && next.isEmpty()) {
                cells.drop(cell);
            }
        } catch (RuntimeException e) {
            surroundings.monitor().retrying("job " + id, e);
            queue.addAt(new Task.OfJob(id), surroundings.clock().now().plus(pause(cell)));
        } finally {
            cell.lock.unlock();
        }
    }

    /**
     * The cell of the job, if there is such a job and this replica drives it; one that is loaded only now takes its part in admission from
     * here on.
     */
    Optional<Cell> cell(JobId id) {
        Optional<Cell> known = cells.known(id).filter(this::isDriven);
        return known.isPresent() ? known : ports.store().find(id).flatMap(this::load);
    }

    private Optional<Cell> load(JobRecord job) {
        Optional<Cell> loaded = sites.lease(Site.of(job)).map(lease -> cells.load(job, lease));
        loaded.ifPresent(this::take);
        return loaded;
    }

    private boolean isDriven(Cell cell) {
        return cell.lease.filter(sites::holds).isPresent();
    }

    private boolean mayAct(Cell cell) {
        return cell.lease.filter(sites::mayAct).isPresent();
    }

    /** Reads the record again when it is not known what is stored. */
    void makeCertain(Cell cell) {
        if (cell.uncertain) {
            cell.uncertain = false;
            try {
                take(cells.reload(cell));
            } catch (RuntimeException e) {
                cell.uncertain = true;
                throw e;
            }
        }
    }

    /** Rounds of looking, deciding, storing and acting until nothing changes; answers when to look again. */
    private Optional<Instant> reconcile(Cell cell) {
        for (int round = 0; round < MOST_ROUNDS; round++) {
            if (!mayAct(cell)) {
                return Optional.empty();
            }
            Instant now = surroundings.clock().now();
            Observations seen = observer.observe(cell, now);
            Decision decision = Decider.decide(cell.snapshot(), seen, now);
            if (decision.next().isPresent() && !store(cell, decision, now)) {
                continue;
            }
            EffectRunner.Outcome outcome = runner.run(cell, decision.effects(), now);
            if (outcome.yielded()) {
                return Optional.of(Instant.MIN);
            }
            if (outcome.trouble()) {
                return earliest(decision.wakeAt(), Optional.of(now.plus(pause(cell))));
            }
            if (decision.next().isEmpty() && !outcome.acted()) {
                cell.troubles = 0;
                return earliest(decision.wakeAt(), resync(cell.job(), now));
            }
        }
        return Optional.of(surroundings.clock().now().plus(RESYNC_STARTING));
    }

    /**
     * Stores a change; false when the stored record was another, which is then the one to go on from, or when another replica drives the
     * job by now.
     */
    boolean store(Cell cell, Decision decision, Instant now) {
        Lease lease = cell.lease.orElseThrow();
        JobRecord before = cell.job();
        JobRecord next = decision.next().orElseThrow();
        if (next.state().isFinal() && before.state().holdsCapacity()) {
            cell.progress.note(ports.store(), cell.id, ports.telemetry().signs(cell.id), now, true);
        }
        try {
            switch (ports.store().compareAndSet(next, decision.events(), lease)) {
                case STORED -> {}
                case OTHER_VERSION -> {
                    take(cells.reload(cell));
                    return false;
                }
                case LEASE_LOST -> {
                    lost(lease);
                    return false;
                }
            }
        } catch (RuntimeException e) {
            // Whether it is stored is not known: until the record is read again, the job counts as holding what it may
            // hold.
            cell.uncertain = true;
            count(cell, holdingMore(before, next));
            throw e;
        }
        cell.take(next, ports);
        if (next.state() == JobState.RUNNING && before.state() != JobState.RUNNING) {
            cell.progress.begin(now);
        }
        take(cell);
        return true;
    }

    /** The record by which the job holds more: a group that shrinks still holds what it held if that was not stored. */
    private static JobRecord holdingMore(JobRecord before, JobRecord next) {
        if (!before.state().holdsCapacity() || !next.state().holdsCapacity()) {
            return next.state().holdsCapacity() ? next : before;
        }
        return Demand.of(before).fitsIn(Demand.of(next)) ? next : before;
    }

    /** Gives the job its part in admission, by the record that is known. */
    private void take(Cell cell) {
        cell.lock.lock();
        try {
            count(cell, cell.job());
            boolean changesSize = cell.job().spec().elastic().isPresent();
            if (!cell.job().state().holdsCapacity() || changesSize) {
                queue.add(new Task.Admit());
            }
        } finally {
            cell.lock.unlock();
        }
    }

    /** Only who drives a job counts what it holds or waits for. */
    private void count(Cell cell, JobRecord job) {
        synchronized (sites) {
            if (isDriven(cell)) {
                board.put(job, surroundings.clock().now());
            }
        }
    }

    /** Takes up a job that is stored, if this replica drives its site. */
    void adopt(JobRecord job) {
        load(job).ifPresent(cell -> wake(cell.id));
    }

    /** Another replica has the site. */
    private void lost(Lease lease) {
        if (sites.lost(lease)) {
            siteRun.drop(lease);
            queue.add(new Task.HoldSites());
        }
    }

    /** Drops what is known of a job under a lease that is lost; what may be known of it under a newer one stays. */
    void forget(JobId id, Lease lease) {
        synchronized (sites) {
            Optional<Cell> cell = cells.known(id);
            if (cell.isPresent() && cell.get().lease.equals(Optional.of(lease))) {
                cells.drop(cell.get());
                board.forget(id);
                cell.get().publisher.ifPresent(Thread::interrupt);
            }
        }
    }

    /** Lets other replicas have the sites of this one. Called when no work runs and none will. */
    public void release() {
        admissionRun.noteThePast();
        sites.release();
    }

    /** Those who wait are to be looked at again, then or earlier. */
    void admitAt(Instant at) {
        queue.addAt(new Task.Admit(), at);
    }

    /** Rules on a request under the job's own serialisation; empty when there is no such job. */
    Optional<Commands.Ruling> command(JobId id, Function<Cell, Commands.Ruling> request) {
        Optional<Commands.Ruling> ruling = commandDriven(id, request);
        return ruling.isPresent() ? ruling : elsewhere.command(id, request);
    }

    /**
     * The same for what follows from what this replica knows of other jobs, and so is its business only while it drives the site; empty also when
     * another replica does.
     */
    Optional<Commands.Ruling> commandDriven(JobId id, Function<Cell, Commands.Ruling> request) {
        return cell(id).flatMap(cell -> command(cell, request));
    }

    /** Empty when another replica drives the job by now. */
    private Optional<Commands.Ruling> command(Cell cell, Function<Cell, Commands.Ruling> request) {
        cell.lock.lock();
        try {
            makeCertain(cell);
            for (int round = 0; isDriven(cell); round++) {
                if (round == MOST_ROUNDS) {
                    throw neverTheSame(cell.id);
                }
                Commands.Ruling ruling = request.apply(cell);
                if (ruling instanceof Commands.Ruling.Change change
                        && change.decision().next().isPresent()) {
                    if (store(cell, change.decision(), surroundings.clock().now())) {
                        return Optional.of(ruling);
                    }
                } else if (cell.isOutdated(ports)) {
                    take(cells.reload(
                            cell)); // nobody is told that it is so by a record that another replica has changed
                } else {
                    return Optional.of(ruling);
                }
            }
            return Optional.empty();
        } finally {
            cell.lock.unlock();
            wake(cell.id);
        }
    }

    /** Whether by many writers or by a row that makes no sense: nobody goes round for ever. */
    static StoreException neverTheSame(JobId id) {
        return new StoreException(
                "nothing was changed, as the stored record of job " + id + " was another each time; try again",
                StoreException.Kind.OTHER,
                null);
    }

    Removal removal() {
        return removal;
    }

    AtOnce atOnce() {
        return atOnce;
    }

    Board board() {
        return board;
    }

    Sites sites() {
        return sites;
    }

    Cells cells() {
        return cells;
    }

    private static Optional<Instant> resync(JobRecord job, Instant now) {
        if (!job.state().holdsCapacity()) {
            return Optional.empty();
        }
        return Optional.of(now.plus(job.state() == JobState.STARTING ? RESYNC_STARTING : RESYNC));
    }

    private static Duration pause(Cell cell) {
        Duration pause = FIRST_RETRY.multipliedBy(1L << Math.min(cell.troubles++, 10));
        return pause.compareTo(LAST_RETRY) > 0 ? LAST_RETRY : pause;
    }

    private static Optional<Instant> earliest(Optional<Instant> one, Optional<Instant> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.or(() -> other);
        }
        return one.get().isBefore(other.get()) ? one : other;
    }
}
