package dev.muster.store;

import dev.muster.model.Attempt;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.ProcessName;
import dev.muster.model.ProcessState;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Attempts of processes. The newest of each has its place in the record of the job; older ones are kept without one. */
final class AttemptTable {
    private static final String CURRENT = "select * from attempt where job_id = ? and place is not null order by place";
    private static final String ALL = "select * from attempt where job_id = ?";
    private static final String PUT = """
            insert into attempt (job_id, name, attempt, place, group_attempt, state, exit_code, exit_cause, exit_reason,
                exit_at, pid, address, started_at, joined, stop_asked)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            on conflict (job_id, name, attempt) do update set place = excluded.place,
                group_attempt = excluded.group_attempt, state = excluded.state, exit_code = excluded.exit_code,
                exit_cause = excluded.exit_cause, exit_reason = excluded.exit_reason, exit_at = excluded.exit_at,
                pid = excluded.pid, address = excluded.address, started_at = excluded.started_at,
                joined = excluded.joined, stop_asked = excluded.stop_asked
            """;
    private static final String RETIRE =
            "update attempt set place = null where job_id = ? and name = ? and attempt = ?";
    private static final Comparator<Attempt> ORDER =
            Comparator.comparing(Attempt::name).thenComparingInt(Attempt::attempt);

    private AttemptTable() {}

    /** An attempt and its place in the record. */
    private record Placed(int place, Attempt attempt) {}

    /** One attempt of one process of the job at hand. */
    private record Key(ProcessName name, int attempt) {
        static Key of(Attempt attempt) {
            return new Key(attempt.name(), attempt.attempt());
        }
    }

    /** The newest attempt of every process, in the order of the launch plan. */
    static List<Attempt> current(Session session, String job) throws SQLException {
        return session.query(CURRENT, AttemptTable::read, job);
    }

    /** Every attempt of one process or of all, in the order of name and attempt. */
    static List<Attempt> all(Session session, JobId job, Optional<ProcessName> process) throws SQLException {
        List<Attempt> found = process.isPresent()
                ? session.query(
                        ALL + " and name = ?",
                        AttemptTable::read,
                        job.value(),
                        process.get().toString())
                : session.query(ALL, AttemptTable::read, job.value());
        found.sort(ORDER);
        return found;
    }

    /** Writes what differs from what is stored, and takes the place of attempts that are no longer the newest. */
    static void replace(Session session, JobId job, List<Attempt> next) throws SQLException {
        Map<Key, Placed> stored = new HashMap<>();
        for (Placed placed : session.query(CURRENT, row -> new Placed(row.integer("place"), read(row)), job.value())) {
            stored.put(Key.of(placed.attempt()), placed);
        }
        for (int place = 0; place < next.size(); place++) {
            Placed placed = new Placed(place, next.get(place));
            if (!placed.equals(stored.remove(Key.of(placed.attempt())))) {
                put(session, job, placed);
            }
        }
        for (Key left : stored.keySet()) {
            session.update(RETIRE, job.value(), left.name().toString(), left.attempt());
        }
    }

    private static void put(Session session, JobId job, Placed placed) throws SQLException {
        Attempt attempt = placed.attempt();
        Optional<Attempt.Exit> exit = attempt.exit();
        session.update(
                PUT,
                job.value(),
                attempt.name().toString(),
                attempt.attempt(),
                placed.place(),
                attempt.groupAttempt(),
                attempt.state().name(),
                exit.isPresent() && exit.get().code().isPresent()
                        ? exit.get().code().getAsInt()
                        : null,
                Row.name(exit.flatMap(Attempt.Exit::cause)),
                exit.flatMap(Attempt.Exit::reason).orElse(null),
                Row.nanos(exit.map(Attempt.Exit::at)),
                attempt.pid().isPresent() ? attempt.pid().getAsLong() : null,
                attempt.address().orElse(null),
                Row.nanos(attempt.startedAt()),
                attempt.joined() ? 1 : 0,
                Row.nanos(attempt.stopAsked()));
    }

    private static Attempt read(Row row) throws SQLException {
        String name = row.text("name");
        return new Attempt(
                ProcessName.parse(name).orElseThrow(() -> new IllegalArgumentException("no process name: " + name)),
                row.integer("attempt"),
                row.integer("group_attempt"),
                row.constant("state", ProcessState.class),
                exit(row),
                row.maybeNumber("pid"),
                row.maybeText("address"),
                row.maybeInstant("started_at"),
                row.integer("joined") != 0,
                row.maybeInstant("stop_asked"));
    }

    private static Optional<Attempt.Exit> exit(Row row) throws SQLException {
        var at = row.maybeInstant("exit_at");
        if (at.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Attempt.Exit(
                row.maybeInteger("exit_code"),
                row.maybeConstant("exit_cause", Cause.class),
                row.maybeText("exit_reason"),
                at.get()));
    }
}
