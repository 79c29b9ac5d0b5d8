package dev.muster.testkit;

import dev.muster.model.Attempt;
import dev.muster.model.Event;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.JobTransition;
import dev.muster.model.ProcessName;
import dev.muster.model.Progress;
import dev.muster.model.Site;
import dev.muster.spi.Clock;
import dev.muster.spi.JobStore;
import dev.muster.spi.Lease;
import dev.muster.spi.Leases;
import dev.muster.spi.Projects;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A job store in memory for simulations, held by the same TCK as the real ones. What a test wants to go wrong it throws from
 * {@link #before}; what was stored outlives a service that is simulated to die.
 */
public final class FakeJobStore implements JobStore {
    private final Map<JobId, Stored> jobs = new LinkedHashMap<>();
    private long places = 1;
    private final Map<List<String>, JobId> keys = new HashMap<>();
    private final Map<String, String> notes = new HashMap<>();
    private final List<Consumer<JobId>> listeners = new CopyOnWriteArrayList<>();
    private final FakeLeases leases;
    private Consumer<Call> before = call -> {};
    private Optional<Instant> latest = Optional.empty();
    private long sequence;

    /** A store on whose clock leases run out. */
    public FakeJobStore(Clock clock) {
        this.leases = new FakeLeases(clock, call -> before.accept(call));
    }

    /** A store whose leases never run out. */
    public FakeJobStore() {
        this(() -> SampleJobs.NOON);
    }

    /** The calls a test may let fail. */
    public enum Call {
        ACCEPT,
        READ,
        COMPARE_AND_SET,
        PROGRESS,
        METRICS,
        DELETE,
        LEASE,
        NOTE
    }

    /** Everything of one job. */
    private static final class Stored {
        private final long place;
        private JobRecord job;
        private boolean garbled;
        private final Map<ProcessName, TreeMap<Integer, Attempt>> attempts = new TreeMap<>();
        private final List<Event> events = new ArrayList<>();
        private final Map<String, String> secrets = new TreeMap<>();
        private final List<Point> points = new ArrayList<>();
        private Optional<Seen> seen = Optional.empty();

        Stored(long place) {
            this.place = place;
        }
    }

    /** Is asked before each call; what it throws comes out of the call, and nothing is changed. */
    public synchronized void before(Consumer<Call> before) {
        this.before = before;
    }

    /** From now on the record of this job cannot be read. */
    public synchronized void garble(JobId id) {
        jobs.get(id).garbled = true;
    }

    @Override
    public synchronized Accepted accept(JobRecord job, Map<String, String> secrets, Optional<String> key) {
        before.accept(Call.ACCEPT);
        if (job.version() != 1
                || JobTransition.between(Optional.empty(), job.state()).isEmpty()) {
            throw new IllegalStateException("job " + job.id() + " is not as a job is accepted");
        }
        Optional<List<String>> owned = key.map(text -> List.of(job.origin().owner(), text));
        if (owned.isPresent() && keys.containsKey(owned.get())) {
            return new Accepted.Same(keys.get(owned.get()));
        }
        Optional<JobId> taken = all().filter(stored -> !stored.job.state().isFinal())
                .map(stored -> stored.job)
                .filter(other -> other.spec().name().equals(job.spec().name())
                        && other.origin().project().equals(job.origin().project()))
                .map(JobRecord::id)
                .findFirst();
        if (taken.isPresent()) {
            return new Accepted.NameTaken(taken.get());
        }
        if (jobs.containsKey(job.id())) {
            throw new IllegalStateException("the job id " + job.id() + " was given before");
        }
        Stored stored = new Stored(places++);
        jobs.put(job.id(), stored);
        owned.ifPresent(text -> keys.put(text, job.id()));
        stored.secrets.putAll(secrets);
        put(stored, job);
        add(
                stored,
                new Event(
                        job.id(),
                        0,
                        job.times().submittedAt(),
                        Optional.empty(),
                        Optional.empty(),
                        job.state().text(),
                        job.status().cause(),
                        job.status().reason()));
        return new Accepted.New(job.id());
    }

    private Stream<Stored> all() {
        return jobs.values().stream();
    }

    private void put(Stored stored, JobRecord job) {
        stored.job = job;
        for (Attempt attempt : job.processes()) {
            stored.attempts
                    .computeIfAbsent(attempt.name(), name -> new TreeMap<>())
                    .put(attempt.attempt(), attempt);
        }
        if (job.state().isFinal()) {
            stored.secrets.clear();
        }
        Stream.of(
                        Optional.of(job.times().submittedAt()),
                        Optional.of(job.times().queuedAt()),
                        job.times().admittedAt(),
                        job.times().startedAt(),
                        job.times().finishedAt(),
                        job.times().runningSince(),
                        job.times().stopAskedAt(),
                        job.status().noContactSince())
                .flatMap(Optional::stream)
                .forEach(this::advance);
    }

    private void add(Stored stored, Event event) {
        sequence++;
        stored.events.add(new Event(
                event.job(),
                sequence,
                event.at(),
                event.process(),
                event.from(),
                event.to(),
                event.cause(),
                event.reason()));
        advance(event.at());
    }

    private void advance(Instant at) {
        if (latest.isEmpty() || latest.get().isBefore(at)) {
            latest = Optional.of(at);
        }
    }

    @Override
    public synchronized boolean compareAndSet(JobRecord next, List<Event> events) {
        before.accept(Call.COMPARE_AND_SET);
        Stored stored = jobs.get(next.id());
        if (stored == null || stored.job.version() != next.version() - 1) {
            return false;
        }
        JobState from = stored.job.state();
        if (from != next.state()
                && JobTransition.between(Optional.of(from), next.state()).isEmpty()) {
            throw new IllegalStateException("job " + next.id() + " cannot go from " + from.text() + " to "
                    + next.state().text());
        }
        if (from.isFinal() && !sameEnd(stored.job, next)) {
            throw new IllegalStateException("job " + next.id() + " is " + from.text() + " and stays as it is");
        }
        if (events.stream().anyMatch(event -> !event.job().equals(next.id()))) {
            throw new IllegalStateException("an event of another job in a step of job " + next.id());
        }
        put(stored, next);
        events.forEach(event -> add(stored, event));
        return true;
    }

    private static boolean sameEnd(JobRecord stored, JobRecord next) {
        return stored.status().equals(next.status())
                && stored.model().equals(next.model())
                && stored.times().finishedAt().equals(next.times().finishedAt());
    }

    @Override
    public synchronized Written compareAndSet(JobRecord next, List<Event> events, Lease lease) {
        if (!lease.site().equals(Site.of(next))) {
            throw new IllegalArgumentException("a lease on " + lease.site() + " for a job of " + Site.of(next));
        }
        if (!leases.isNewest(lease)) {
            before.accept(Call.COMPARE_AND_SET);
            return Written.LEASE_LOST;
        }
        return compareAndSet(next, events) ? Written.STORED : Written.OTHER_VERSION;
    }

    @Override
    public Leases leases() {
        return leases;
    }

    /** Who has the site now; empty when nobody does, or when the lease has run out. */
    public Optional<String> leaseHolder(Site site) {
        return leases.holder(site);
    }

    /** Tells nobody by itself: a test calls {@link #tell} for what a replica is to hear of. */
    @Override
    public void listen(Consumer<JobId> changed) {
        listeners.add(changed);
    }

    /** Tells everybody who listens that the job was changed. */
    public void tell(JobId id) {
        listeners.forEach(listener -> listener.accept(id));
    }

    /** Nobody listens any more, as those who did are dead. */
    public void forgetListeners() {
        listeners.clear();
    }

    @Override
    public synchronized boolean deleteUnreadable(JobId id) {
        before.accept(Call.DELETE);
        Stored stored = jobs.get(id);
        return stored != null && stored.garbled && remove(id);
    }

    @Override
    public synchronized Optional<JobRecord> find(JobId id) {
        before.accept(Call.READ);
        Stored stored = jobs.get(id);
        if (stored != null && stored.garbled) {
            throw new StoreException(
                    "the stored record of job " + id + " cannot be read", StoreException.Kind.UNREADABLE, null);
        }
        return stored == null ? Optional.empty() : Optional.of(stored.job);
    }

    @Override
    public synchronized OptionalLong version(JobId id) {
        before.accept(Call.READ);
        Stored stored = jobs.get(id);
        return stored == null ? OptionalLong.empty() : OptionalLong.of(stored.job.version());
    }

    @Override
    public synchronized List<JobId> withPrefix(String prefix, Projects projects, int limit) {
        before.accept(Call.READ);
        return all().map(stored -> stored.job)
                .filter(job -> projects.allow(job.origin().project()))
                .map(JobRecord::id)
                .filter(id -> id.value().startsWith(prefix))
                .sorted()
                .limit(limit)
                .toList();
    }

    @Override
    public synchronized Optional<JobId> named(String name, Projects projects) {
        before.accept(Call.READ);
        List<JobRecord> found = all().map(stored -> stored.job)
                .filter(job -> job.spec().name().equals(name)
                        && projects.allow(job.origin().project()))
                .toList()
                .reversed();
        return found.stream()
                .min(Comparator.comparing((JobRecord job) -> job.state().isFinal()))
                .map(JobRecord::id);
    }

    @Override
    public synchronized Listing list(Query query) {
        before.accept(Call.READ);
        List<Stored> older = new ArrayList<>(jobs.values());
        if (query.before().isPresent()) {
            long bound = query.before().get().place();
            older.removeIf(stored -> stored.place >= bound);
        }
        List<Stored> found = older.reversed().stream()
                .filter(stored -> query.states().isEmpty() || query.states().contains(stored.job.state()))
                .filter(stored -> query.name().isEmpty()
                        || query.name().get().equals(stored.job.spec().name()))
                .filter(stored -> query.projects().allow(stored.job.origin().project()))
                .filter(stored -> query.owner().isEmpty()
                        || query.owner().get().equals(stored.job.origin().owner()))
                .filter(stored -> query.queue().isEmpty()
                        || query.queue().get().equals(stored.job.spec().queue()))
                .filter(stored -> query.since().isEmpty()
                        || !stored.job
                                .times()
                                .submittedAt()
                                .isBefore(query.since().get()))
                .limit(query.limit() + 1L)
                .toList();
        boolean more = found.size() > query.limit();
        List<Stored> page = more ? found.subList(0, query.limit()) : found;
        return new Listing(
                page.stream()
                        .filter(stored -> !stored.garbled)
                        .map(stored -> stored.job)
                        .toList(),
                page.stream()
                        .filter(stored -> stored.garbled)
                        .map(stored -> new UnreadableJob(stored.job.id(), "cannot be read"))
                        .toList(),
                more ? Optional.of(new Cursor(page.getLast().place)) : Optional.empty());
    }

    @Override
    public synchronized Optional<Cursor> cursor(JobId id, Projects projects) {
        before.accept(Call.READ);
        return Optional.ofNullable(jobs.get(id))
                .filter(stored -> projects.allow(stored.job.origin().project()))
                .map(stored -> new Cursor(stored.place));
    }

    @Override
    public synchronized List<JobRecord> live() {
        before.accept(Call.READ);
        return all().filter(stored -> !stored.garbled && !stored.job.state().isFinal())
                .map(stored -> stored.job)
                .toList();
    }

    @Override
    public synchronized void progress(JobId id, Progress progress, long badRecords) {
        before.accept(Call.PROGRESS);
        Stored stored = jobs.get(id);
        if (stored != null && !stored.job.state().isFinal()) {
            stored.seen = Optional.of(new Seen(progress, badRecords));
        }
    }

    @Override
    public synchronized Optional<Seen> progress(JobId id) {
        before.accept(Call.READ);
        return Optional.ofNullable(jobs.get(id)).flatMap(stored -> stored.seen);
    }

    @Override
    public synchronized List<Attempt> attempts(JobId id, Optional<ProcessName> process) {
        before.accept(Call.READ);
        return of(
                id,
                stored -> stored.attempts.values().stream()
                        .flatMap(attempts -> attempts.values().stream())
                        .filter(attempt -> process.isEmpty() || process.get().equals(attempt.name())));
    }

    private <T> List<T> of(JobId id, Function<Stored, Stream<T>> part) {
        return Stream.ofNullable(jobs.get(id)).flatMap(part).toList();
    }

    @Override
    public synchronized List<Event> events(JobId id, long after, int limit) {
        before.accept(Call.READ);
        return of(
                id,
                stored -> stored.events.stream()
                        .filter(event -> event.seq() > after)
                        .limit(limit));
    }

    @Override
    public synchronized Map<String, String> secrets(JobId id) {
        before.accept(Call.READ);
        return jobs.containsKey(id) ? Map.copyOf(jobs.get(id).secrets) : Map.of();
    }

    @Override
    public synchronized void metrics(JobId id, List<Point> points) {
        before.accept(Call.METRICS);
        if (jobs.containsKey(id)) {
            jobs.get(id).points.addAll(points);
        }
    }

    @Override
    public synchronized List<Point> metrics(JobId id, Optional<String> metric) {
        before.accept(Call.READ);
        return of(
                id,
                stored -> stored.points.stream()
                        .filter(point -> metric.isEmpty() || metric.get().equals(point.metric())));
    }

    @Override
    public synchronized boolean delete(JobId id) {
        before.accept(Call.DELETE);
        Stored stored = jobs.get(id);
        return stored != null && stored.job.state().isFinal() && remove(id);
    }

    private boolean remove(JobId id) {
        jobs.remove(id);
        keys.values().removeIf(id::equals);
        return true;
    }

    @Override
    public synchronized Optional<String> note(String name) {
        before.accept(Call.READ);
        return Optional.ofNullable(notes.get(name));
    }

    @Override
    public synchronized void note(String name, String text) {
        before.accept(Call.NOTE);
        notes.put(name, text);
    }

    @Override
    public synchronized Optional<Instant> latestTime() {
        before.accept(Call.READ);
        return latest;
    }

    /** Keeps everything: a simulated service that starts again finds it. */
    @Override
    public void close() {}
}
