package dev.muster.spi;

import dev.muster.model.Attempt;
import dev.muster.model.Event;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.ProcessName;
import dev.muster.model.Progress;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The one truth about jobs. A call that changes something returns once the change is durable; a reader sees it from then on. Any
 * thread may call; nothing here blocks longer than a commit. Implementations refuse every step that is no row of JobTransition.
 */
public interface JobStore extends AutoCloseable {
    /**
     * Accepts a job: its record, its first event and its secrets in one commit.
     *
     * @param job     in state Queued or Suspended, version 1, its id never given before
     * @param secrets values by variable; encrypted at rest, gone with the job's end
     * @param key     idempotency key; the same key of the same owner gives the job it first gave
     */
    Accepted accept(JobRecord job, Map<String, String> secrets, Optional<String> key);

    /**
     * The record as last stored.
     *
     * @throws StoreException of kind UNREADABLE when what is stored makes no sense; other jobs are not affected
     */
    Optional<JobRecord> find(JobId id);

    /** The version as last stored, which costs little to ask; empty when there is no such job. */
    OptionalLong version(JobId id);

    /** Jobs of these projects whose id starts with the prefix, at most {@code limit}. */
    List<JobId> withPrefix(String prefix, Projects projects, int limit);

    /** The live job of this name in these projects, the newest where several have one; else the newest. */
    Optional<JobId> named(String name, Projects projects);

    /** A page of the jobs that match, newest first. */
    Listing list(Query query);

    /** The place of a job of these projects in the order of all lists; empty when there is none. */
    Optional<Cursor> cursor(JobId id, Projects projects);

    /** Every job that is not final, oldest first: what a starting service has to take up. Unreadable ones are passed over. */
    List<JobRecord> live();

    /**
     * Replaces the record when the stored version is {@code next.version() - 1}, together with the events of that change. Attempts
     * that are no longer the newest of their process are kept. Secrets go when the job becomes final.
     *
     * @return false when the stored version is another; nothing is changed then
     * @throws IllegalStateException when the step is no row of JobTransition, when the status, end or model of a final job would
     *     change, or when an event is of another job; nothing is changed then
     */
    boolean compareAndSet(JobRecord next, List<Event> events);

    /**
     * The same for who drives the job's site: stored only while the lease is the newest of its site, checked in the same commit. Who
     * merely carries out a request of a user needs no lease.
     *
     * @param lease on the site of the job
     * @throws IllegalArgumentException when the lease is on another site
     */
    Written compareAndSet(JobRecord next, List<Event> events, Lease lease);

    /** Leases on the sites of these jobs. */
    Leases leases();

    /**
     * Calls {@code changed} soon after another replica changed a job in this store. A hint: it may be late or doubled, and must return at
     * once. Never called where only one process can have the store open.
     */
    void listen(Consumer<JobId> changed);

    /** Newest progress, apart from the record: a lost update is only late. Ignored for a job that is final or not there. */
    void progress(JobId id, Progress progress, long badRecords);

    Optional<Seen> progress(JobId id);

    /** Every attempt of one process, or of all, in the order of name and attempt. */
    List<Attempt> attempts(JobId id, Optional<ProcessName> process);

    /** Events of one job after a sequence number, in order, at most {@code limit}. */
    List<Event> events(JobId id, long after, int limit);

    /** Secret values by variable. */
    Map<String, String> secrets(JobId id);

    /** Adds points to the series of metrics of a job, final or not; ignored for one that is not there. */
    void metrics(JobId id, List<Point> points);

    /** Points of a job in the order they were added, of one metric or of all. */
    List<Point> metrics(JobId id, Optional<String> metric);

    /** Removes a job that is final, with all its rows. False when there is none. */
    boolean delete(JobId id);

    /** Removes a job whose record cannot be read, whatever its state, with all its rows. False when it can be read, or is not there. */
    boolean deleteUnreadable(JobId id);

    /** What was noted under this name last. */
    Optional<String> note(String name);

    /**
     * Notes something down that no job can tell, in place of what was noted under this name before.
     *
     * @param name of 1 to 200 characters
     */
    void note(String name, String text);

    /** The latest time of the service's clock ever stored, in records or events, from which a new service's clock goes on. */
    Optional<Instant> latestTime();

    @Override
    void close();

    /** Answer to {@link #accept}. */
    sealed interface Accepted {
        /** Stored as a new job. */
        record New(JobId id) implements Accepted {}

        /** This idempotency key has given this job before. */
        record Same(JobId id) implements Accepted {}

        /** A live job of this name exists in the project. */
        record NameTaken(JobId by) implements Accepted {}
    }

    /** Answer to who drives a job. */
    enum Written {
        STORED,
        /** The stored version is another; nothing was changed. */
        OTHER_VERSION,
        /** The site was taken by another since; nothing was changed, and nothing will be under this lease. */
        LEASE_LOST
    }

    /**
     * What to list.
     *
     * @param states   states, empty for all
     * @param name     exact name
     * @param projects projects it may be of
     * @param owner    who submitted it
     * @param queue    exact name of its queue
     * @param since    accepted at this time or later
     * @param before   only jobs accepted before the one that has or had this place, for the next page
     * @param limit    at most so many
     */
    record Query(
            Set<JobState> states,
            Optional<String> name,
            Projects projects,
            Optional<String> owner,
            Optional<String> queue,
            Optional<Instant> since,
            Optional<Cursor> before,
            int limit) {
        public Query(Set<JobState> states, Optional<String> name, Optional<Cursor> before, int limit) {
            this(states, name, Projects.ALL, Optional.empty(), Optional.empty(), Optional.empty(), before, limit);
        }

        /** The same, of jobs that are in these projects too. */
        public Query within(Projects seen) {
            return new Query(states, name, projects.and(seen), owner, queue, since, before, limit);
        }

        public static Query newest(int limit) {
            return new Query(Set.of(), Optional.empty(), Optional.empty(), limit);
        }
    }

    /** A job's place in the order in which jobs were accepted. It is no other's, also after that job was deleted. */
    record Cursor(long place) {}

    /**
     * A page of jobs.
     *
     * @param jobs       those that can be read, in the order asked for
     * @param unreadable those of this page whose record makes no sense
     * @param next       the place of the last of this page, which goes to {@link Query#before} for the next one; empty when there is none
     */
    record Listing(List<JobRecord> jobs, List<UnreadableJob> unreadable, Optional<Cursor> next) {
        public Listing {
            jobs = List.copyOf(jobs);
            unreadable = List.copyOf(unreadable);
        }
    }

    /**
     * A job whose stored record makes no sense.
     *
     * @param reason what is wrong, and what can be done
     */
    record UnreadableJob(JobId id, String reason) {}

    /** Progress and bad records as last stored. */
    record Seen(Progress progress, long badRecords) {}

    /** One value of one metric. */
    record Point(Instant at, long step, String metric, double value) {}

    /** Turns job specifications into text and back, so that a store needs not know the form of job text. */
    interface SpecCodec {
        String write(dev.muster.model.JobSpec spec);

        dev.muster.model.JobSpec read(String text);
    }

    /**
     * The store could not do its work, such as when the disk is full. Nothing was changed, unless the message says that this is not known: a
     * commit may have come through whose answer did not.
     */
    final class StoreException extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final Kind kind;

        /** What kept the store from its work. */
        public enum Kind {
            /** There is no room; once there is, the same call works. */
            DISK_FULL,
            /** What is stored of one job makes no sense; no other is affected. The message says what can be done. */
            UNREADABLE,
            /** The database itself is damaged. The message says what can be done. */
            DAMAGED,
            /** The database is not reached, or answers too late. Nothing was changed; once it is reached, the same call works. */
            UNREACHABLE,
            /** A store cannot be opened with these settings, or is not for this Muster. The message says what can be done. */
            REFUSED,
            OTHER
        }

        public StoreException(String message, Kind kind, Throwable from) {
            super(message, from);
            this.kind = kind;
        }

        public Kind kind() {
            return kind;
        }

        /** Whether there is no room; once there is, the same call works. */
        public boolean diskFull() {
            return kind == Kind.DISK_FULL;
        }
    }
}
