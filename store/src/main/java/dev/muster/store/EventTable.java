package dev.muster.store;

import dev.muster.model.Cause;
import dev.muster.model.Event;
import dev.muster.model.JobId;
import dev.muster.model.ProcessName;
import java.sql.SQLException;
import java.util.List;

/** Steps of jobs and processes; only ever added to. The database gives the order. */
final class EventTable {
    private static final String ADD = """
            insert into event (job_id, at, process, from_state, to_state, cause, reason) values (?, ?, ?, ?, ?, ?, ?)
            """;
    private static final String AFTER = "select * from event where job_id = ? and seq > ? order by seq limit ?";

    private EventTable() {}

    static void add(Session session, Event event) throws SQLException {
        session.update(
                ADD,
                event.job().value(),
                Row.nanos(event.at()),
                event.process().map(ProcessName::toString).orElse(null),
                event.from().orElse(null),
                event.to(),
                Row.name(event.cause()),
                event.reason().orElse(null));
    }

    static List<Event> after(Session session, JobId job, long after, int limit) throws SQLException {
        return session.query(AFTER, row -> read(job, row), job.value(), after, limit);
    }

    private static Event read(JobId job, Row row) throws SQLException {
        return new Event(
                job,
                row.number("seq"),
                row.instant("at"),
                row.maybeText("process").flatMap(ProcessName::parse),
                row.maybeText("from_state"),
                row.text("to_state"),
                row.maybeConstant("cause", Cause.class),
                row.maybeText("reason"));
    }
}
