package dev.muster.store;

import dev.muster.model.Attempt;
import dev.muster.model.Event;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.ProcessName;
import dev.muster.model.Progress;
import dev.muster.model.Site;
import dev.muster.spi.JobStore;
import dev.muster.spi.Lease;
import dev.muster.spi.Leases;
import dev.muster.spi.Projects;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The job store in SQL that every product understands; the {@link Database} below it is one product. */
final class SqlJobStore implements JobStore {
    /** The names of final states, as a list of SQL. */
    static final String FINAL = Arrays.stream(JobState.values())
            .filter(JobState::isFinal)
            .map(state -> "'" + state.name() + "'")
            .collect(Collectors.joining(", ", "(", ")"));

    private final Database database;
    private final SpecTexts specs;
    private final SecretTable secrets;
    private final Unreadable unreadable;
    private final LeaseTable leases;
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    SqlJobStore(Database database, SpecCodec codec, SecretBox box, Unreadable unreadable) {
        this.database = database;
        this.specs = new SpecTexts(codec);
        this.secrets = new SecretTable(box);
        this.unreadable = unreadable;
        this.leases = new LeaseTable(database);
    }

    /** A row as read: a record, or why there is none. */
    private record Found(String id, long seq, Optional<JobRecord> job, String problem) {}

    @Override
    public Accepted accept(JobRecord job, Map<String, String> values, Optional<String> key) {
        Steps.checkAccepted(job);
        String spec = specs.text(job.spec());
        Map<String, byte[]> sealed = secrets.seal(job.id(), values);
        Event first = new Event(
                job.id(),
                0,
                job.times().submittedAt(),
                Optional.empty(),
                Optional.empty(),
                job.state().text(),
                job.status().cause(),
                job.status().reason());
        Accepted answer = database.write(job.spec().name(), session -> {
            Optional<Accepted> earlier = earlier(session, job, key);
            if (earlier.isPresent()) {
                return earlier.get();
            }
            if (session.first(
                            "select id from job where id = ?",
                            row -> 0,
                            job.id().value())
                    .isPresent()) {
                throw new IllegalStateException("the job id " + job.id() + " was given before");
            }
            session.update(JobRow.INSERT, JobRow.values(job));
            session.update(
                    "insert into job_text (job_id, spec, origin) values (?, ?, ?)",
                    job.id().value(),
                    spec,
                    Documents.write(job.origin()));
            if (!job.processes().isEmpty()) {
                AttemptTable.replace(session, job.id(), job.processes());
            }
            EventTable.add(session, first);
            SecretTable.add(session, job.id(), sealed);
            if (key.isPresent()) {
                session.update(
                        "insert into idempotency (owner, key, job_id) values (?, ?, ?)",
                        job.origin().owner(),
                        key.get(),
                        job.id().value());
            }
            advanceClock(session, Steps.latest(job, List.of()));
            return new Accepted.New(job.id());
        });
        if (answer instanceof Accepted.New) {
            database.changed(job.id().value(), job.version(), false);
        }
        return answer;
    }

    private static Optional<Accepted> earlier(Session session, JobRecord job, Optional<String> key)
            throws SQLException {
        if (key.isPresent()) {
            Optional<String> same = session.first(
                    "select job_id from idempotency where owner = ? and key = ?",
                    row -> row.text("job_id"),
                    job.origin().owner(),
                    key.get());
            if (same.isPresent()) {
                return Optional.of(new Accepted.Same(new JobId(same.get())));
            }
        }
        return session.first(
                        "select id from job where project = ? and name = ? and state not in " + FINAL,
                        row -> row.text("id"),
                        job.origin().project(),
                        job.spec().name())
                .map(id -> new Accepted.NameTaken(new JobId(id)));
    }

    @Override
    public boolean compareAndSet(JobRecord next, List<Event> events) {
        return set(next, events, Optional.empty()) == Written.STORED;
    }

    @Override
    public Written compareAndSet(JobRecord next, List<Event> events, Lease lease) {
        if (!lease.site().equals(Site.of(next))) {
            throw new IllegalArgumentException("a lease on " + lease.site() + " for a job of " + Site.of(next));
        }
        return set(next, events, Optional.of(lease));
    }

    private Written set(JobRecord next, List<Event> events, Optional<Lease> lease) {
        String spec = specs.text(next.spec());
        String id = next.id().value();
        Written written = database.write(id, room(next.state()), session -> {
            if (lease.isPresent() && !leases.isNewest(session, lease.get())) {
                return Written.LEASE_LOST;
            }
            Optional<Steps.End> stored = session.first(
                    "select * from job where id = ? and version = ?"
                            + database.dialect().lock(),
                    SqlJobStore::end,
                    id,
                    next.version() - 1);
            if (stored.isEmpty()) {
                return Written.OTHER_VERSION;
            }
            Steps.check(stored.get(), next, events);
            session.update(JobRow.UPDATE, JobRow.values(next));
            session.update("update job_text set spec = ? where job_id = ? and spec <> ?", spec, id, spec);
            AttemptTable.replace(session, next.id(), next.processes());
            for (Event event : events) {
                EventTable.add(session, event);
            }
            if (next.state().isFinal()) {
                SecretTable.remove(session, next.id());
            }
            advanceClock(session, Steps.latest(next, events));
            return Written.STORED;
        });
        if (written == Written.STORED) {
            database.changed(id, next.version(), next.state().isFinal());
        }
        return written;
    }

    /** Nothing new is begun in the room that is kept for ends. */
    private static Room room(JobState next) {
        return switch (next) {
            case QUEUED, ADMITTED, STARTING, RESTARTING -> Room.FREE;
            case RUNNING, STOPPING, SUSPENDED, PUBLISHING, SUCCEEDED, FAILED, CANCELLED -> Room.KEPT;
        };
    }

    private void advanceClock(Session session, Instant time) throws SQLException {
        session.update(database.dialect().clock(), Row.nanos(time));
    }

    @Override
    public Leases leases() {
        return leases;
    }

    @Override
    public void listen(Consumer<JobId> changed) {
        database.listen(id -> changed.accept(new JobId(id)));
    }

    @Override
    public Optional<JobRecord> find(JobId id) {
        Optional<Found> found = database.read(
                session -> session.first(JobRow.SELECT + "where id = ?", row -> found(session, row), id.value()));
        if (found.isPresent() && found.get().job().isEmpty()) {
            tell(found.get());
            throw unreadable(id.value(), found.get().problem());
        }
        return found.flatMap(Found::job);
    }

    private static StoreException unreadable(String id, String problem) {
        return new StoreException(problem(id, problem), StoreException.Kind.UNREADABLE, null);
    }

    private static String problem(String id, String problem) {
        return "the stored record of job " + id + " cannot be read (" + problem
                + "); no other job is affected; put back a copy of the database, or remove the job and what runs"
                + " of it: muster delete " + id + " --cancel";
    }

    private static Steps.End end(Row row) throws SQLException {
        try {
            return JobRow.end(row);
        } catch (RuntimeException broken) {
            throw unreadable(row.maybeText("id").orElse(""), String.valueOf(broken.getMessage()));
        }
    }

    @Override
    public OptionalLong version(JobId id) {
        return database.read(session ->
                        session.first("select version from job where id = ?", row -> row.number("version"), id.value()))
                .map(OptionalLong::of)
                .orElseGet(OptionalLong::empty);
    }

    @Override
    public Optional<JobId> named(String name, Projects projects) {
        Selection selection = new Selection().and("name = ?", name).andOf(projects);
        return database.read(session -> session.first(
                "select id from job " + selection.where() + " order by state in " + FINAL + ", seq desc limit 1",
                row -> new JobId(row.text("id")),
                selection.values()));
    }

    @Override
    public List<JobId> withPrefix(String prefix, Projects projects, int limit) {
        // Ids are lower-case letters and digits, all before the tilde.
        Selection selection = new Selection()
                .and("id >= ?", prefix)
                .and("id < ?", prefix + "~")
                .andOf(projects);
        return database.read(session -> session.query(
                "select id from job " + selection.where() + " order by id limit ?",
                row -> new JobId(row.text("id")),
                selection.valuesAnd(limit)));
    }

    @Override
    public Listing list(Query query) {
        Selection selection = new Selection().andOf(query.projects());
        if (!query.states().isEmpty()) {
            selection.andIn(
                    "state",
                    query.states().stream().map(JobState::name).sorted().toList());
        }
        query.name().ifPresent(name -> selection.and("name = ?", name));
        query.owner().ifPresent(owner -> selection.and("owner = ?", owner));
        query.queue().ifPresent(queue -> selection.and("queue = ?", queue));
        query.since().ifPresent(since -> selection.and("submitted_at >= ?", Row.nanos(since)));
        query.before().ifPresent(before -> selection.and("seq < ?", before.place()));
        List<Found> found = found(
                selection.where() + " order by seq desc limit ?", selection.valuesAnd(Math.addExact(query.limit(), 1)));
        boolean more = found.size() > query.limit();
        List<Found> page = more ? found.subList(0, query.limit()) : found;
        page.forEach(this::tell);
        return new Listing(
                page.stream().flatMap(each -> each.job().stream()).toList(),
                page.stream()
                        .filter(each -> each.job().isEmpty())
                        .map(each -> new UnreadableJob(new JobId(each.id()), problem(each.id(), each.problem())))
                        .toList(),
                more ? Optional.of(new Cursor(page.getLast().seq())) : Optional.empty());
    }

    @Override
    public Optional<Cursor> cursor(JobId id, Projects projects) {
        Selection selection = new Selection().and("id = ?", id.value()).andOf(projects);
        return database.read(session -> session.first(
                "select seq from job " + selection.where(), row -> new Cursor(row.number("seq")), selection.values()));
    }

    @Override
    public List<JobRecord> live() {
        List<Found> found = found("where state not in " + FINAL + " order by seq");
        found.forEach(this::tell);
        return found.stream().flatMap(each -> each.job().stream()).toList();
    }

    private List<Found> found(String where, Object... values) {
        try {
            return database.read(session -> session.query(JobRow.SELECT + where, row -> found(session, row), values));
        } catch (StoreException failed) {
            if (failed.kind() != StoreException.Kind.DAMAGED) {
                throw failed;
            }
            return eachAlone(where, values);
        }
    }

    /** Where a page of the database is damaged, those can be read that have nothing on it. */
    private List<Found> eachAlone(String where, Object... values) {
        List<Found> rows = database.read(session -> session.query(
                "select id, seq from job " + where,
                row -> new Found(row.text("id"), row.number("seq"), Optional.empty(), ""),
                values));
        List<Found> found = new ArrayList<>();
        for (Found each : rows) {
            try {
                database.read(session ->
                                session.first(JobRow.SELECT + "where id = ?", row -> found(session, row), each.id()))
                        .ifPresent(found::add);
            } catch (StoreException damaged) {
                found.add(new Found(each.id(), each.seq(), Optional.empty(), damaged.getMessage()));
            }
        }
        return found;
    }

    private Found found(Session session, Row row) throws SQLException {
        String id = row.maybeText("id").orElse("");
        long seq = row.number("seq");
        try {
            List<Attempt> processes = AttemptTable.current(session, id);
            return new Found(id, seq, Optional.of(JobRow.read(row, specs, processes)), "");
        } catch (RuntimeException broken) {
            return new Found(id, seq, Optional.empty(), String.valueOf(broken.getMessage()));
        }
    }

    /** Notes down that it is broken, where it is and was not noted before. */
    private void tell(Found found) {
        if (found.job().isEmpty() && told.add(found.id())) {
            unreadable.row(found.id(), found.problem());
        }
    }

    @Override
    public void progress(JobId id, Progress progress, long badRecords) {
        String text = Documents.write(progress);
        database.write(
                id.value(),
                session -> session.update(
                        "insert into progress (job_id, progress, bad_records)"
                                + " select id, ?, ? from job where id = ? and state not in " + FINAL
                                + " on conflict (job_id) do update set progress = excluded.progress,"
                                + " bad_records = excluded.bad_records",
                        text,
                        badRecords,
                        id.value()));
    }

    @Override
    public Optional<Seen> progress(JobId id) {
        return database.read(session -> session.first(
                "select progress, bad_records from progress where job_id = ?",
                row -> new Seen(Documents.progress(row.text("progress")), row.number("bad_records")),
                id.value()));
    }

    @Override
    public List<Attempt> attempts(JobId id, Optional<ProcessName> process) {
        return database.read(session -> AttemptTable.all(session, id, process));
    }

    @Override
    public List<Event> events(JobId id, long after, int limit) {
        return database.read(session -> EventTable.after(session, id, after, limit));
    }

    @Override
    public Map<String, String> secrets(JobId id) {
        return secrets.open(id, database.read(session -> SecretTable.of(session, id)));
    }

    @Override
    public void metrics(JobId id, List<Point> points) {
        if (points.isEmpty()) {
            return;
        }
        database.write(id.value(), session -> {
            for (Point point : points) {
                session.update(
                        "insert into point (job_id, at, step, metric, value) select id, ?, ?, ?, cast(? as double precision) from job where id = ?",
                        Row.nanos(point.at()),
                        point.step(),
                        point.metric(),
                        Double.isNaN(point.value()) ? null : point.value(),
                        id.value());
            }
            return null;
        });
    }

    @Override
    public List<Point> metrics(JobId id, Optional<String> metric) {
        Session.Reader<Point> reader =
                row -> new Point(row.instant("at"), row.number("step"), row.text("metric"), row.real("value"));
        String select = "select at, step, metric, value from point where job_id = ?";
        return database.read(session -> metric.isPresent()
                ? session.query(select + " and metric = ? order by seq", reader, id.value(), metric.get())
                : session.query(select + " order by seq", reader, id.value()));
    }

    @Override
    public boolean delete(JobId id) {
        return database.write(
                id.value(),
                Room.KEPT,
                session -> session.update("delete from job where id = ? and state in " + FINAL, id.value()) == 1);
    }

    @Override
    public boolean deleteUnreadable(JobId id) {
        return database.write(id.value(), Room.KEPT, session -> {
            Optional<Found> found =
                    session.first(JobRow.SELECT + "where id = ?", row -> found(session, row), id.value());
            return found.isPresent()
                    && found.get().job().isEmpty()
                    && session.update("delete from job where id = ?", id.value()) == 1;
        });
    }

    @Override
    public Optional<String> note(String name) {
        return database.read(
                session -> session.first("select body from note where name = ?", row -> row.text("body"), name));
    }

    @Override
    public void note(String name, String text) {
        database.write(
                name,
                session -> session.update(
                        "insert into note (name, body) values (?, ?) on conflict (name) do update set body = excluded.body",
                        name,
                        text));
    }

    @Override
    public Optional<Instant> latestTime() {
        return database.read(session ->
                        session.first("select max(latest) as latest from clock", row -> row.number("latest")))
                .filter(latest -> latest > 0)
                .map(Row::instant);
    }

    @Override
    public void close() {
        database.close();
    }
}
