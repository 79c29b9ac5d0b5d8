package dev.muster.store;

import dev.muster.model.Attempt;
import dev.muster.model.Event;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.ProcessName;
import dev.muster.model.Progress;
import dev.muster.spi.JobStore;
import dev.muster.spi.Lease;
import dev.muster.spi.Leases;
import dev.muster.spi.Projects;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** A job store that tells of every change once it is durable, its own and those of other replicas, so that whoever shows jobs need not ask again and again. */
public final class TellingJobStore implements JobStore {
    private final JobStore inside;
    private final Consumer<JobId> changed;

    /**
     * @param inside  the store
     * @param changed is called by the thread that made the change; must return at once and throw nothing
     */
    public TellingJobStore(JobStore inside, Consumer<JobId> changed) {
        this.inside = inside;
        this.changed = changed;
        inside.listen(changed);
    }

    @Override
    public Accepted accept(JobRecord job, Map<String, String> secrets, Optional<String> key) {
        Accepted accepted = inside.accept(job, secrets, key);
        if (accepted instanceof Accepted.New) {
            changed.accept(job.id());
        }
        return accepted;
    }

    @Override
    public boolean compareAndSet(JobRecord next, List<Event> events) {
        boolean stored = inside.compareAndSet(next, events);
        if (stored) {
            changed.accept(next.id());
        }
        return stored;
    }

    @Override
    public Written compareAndSet(JobRecord next, List<Event> events, Lease lease) {
        Written written = inside.compareAndSet(next, events, lease);
        if (written == Written.STORED) {
            changed.accept(next.id());
        }
        return written;
    }

    @Override
    public Leases leases() {
        return inside.leases();
    }

    @Override
    public void listen(Consumer<JobId> changed) {
        inside.listen(changed);
    }

    @Override
    public void progress(JobId id, Progress progress, long badRecords) {
        inside.progress(id, progress, badRecords);
        changed.accept(id);
    }

    @Override
    public void metrics(JobId id, List<Point> points) {
        inside.metrics(id, points);
    }

    @Override
    public boolean delete(JobId id) {
        boolean deleted = inside.delete(id);
        if (deleted) {
            changed.accept(id);
        }
        return deleted;
    }

    @Override
    public boolean deleteUnreadable(JobId id) {
        boolean deleted = inside.deleteUnreadable(id);
        if (deleted) {
            changed.accept(id);
        }
        return deleted;
    }

    @Override
    public Optional<JobRecord> find(JobId id) {
        return inside.find(id);
    }

    @Override
    public Optional<Cursor> cursor(JobId id, Projects projects) {
        return inside.cursor(id, projects);
    }

    @Override
    public OptionalLong version(JobId id) {
        return inside.version(id);
    }

    @Override
    public List<JobId> withPrefix(String prefix, Projects projects, int limit) {
        return inside.withPrefix(prefix, projects, limit);
    }

    @Override
    public Optional<JobId> named(String name, Projects projects) {
        return inside.named(name, projects);
    }

    @Override
    public Listing list(Query query) {
        return inside.list(query);
    }

    @Override
    public List<JobRecord> live() {
        return inside.live();
    }

    @Override
    public Optional<Seen> progress(JobId id) {
        return inside.progress(id);
    }

    @Override
    public List<Attempt> attempts(JobId id, Optional<ProcessName> process) {
        return inside.attempts(id, process);
    }

    @Override
    public List<Event> events(JobId id, long after, int limit) {
        return inside.events(id, after, limit);
    }

    @Override
    public Map<String, String> secrets(JobId id) {
        return inside.secrets(id);
    }

    @Override
    public List<Point> metrics(JobId id, Optional<String> metric) {
        return inside.metrics(id, metric);
    }

    @Override
    public Optional<String> note(String name) {
        return inside.note(name);
    }

    @Override
    public void note(String name, String text) {
        inside.note(name, text);
    }

    @Override
    public Optional<Instant> latestTime() {
        return inside.latestTime();
    }

    @Override
    public void close() {
        inside.close();
    }
}
