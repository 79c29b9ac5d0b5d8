package dev.muster.store;

import dev.muster.model.Attempt;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobRecord.Counters;
import dev.muster.model.JobRecord.Status;
import dev.muster.model.JobRecord.Times;
import dev.muster.model.JobState;
import dev.muster.model.RestartScope;
import java.sql.SQLException;
import java.util.List;

/** One job as its columns, and back. */
final class JobRow {
    static final String INSERT = """
            insert into job (name, project, owner, queue, priority, state, version, target, cause, reason, restarting,
                no_contact_since, attempt, restarts, uncounted, submitted_at, queued_at, admitted_at, started_at,
                finished_at, running_for, running_since, settle_until, retry_at, stop_asked_at, placement, resume_from,
                model, id)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """;
    static final String UPDATE = """
            update job set name = ?, project = ?, owner = ?, queue = ?, priority = ?, state = ?, version = ?, target = ?, cause = ?,
                reason = ?, restarting = ?, no_contact_since = ?, attempt = ?, restarts = ?, uncounted = ?,
                submitted_at = ?, queued_at = ?, admitted_at = ?, started_at = ?, finished_at = ?, running_for = ?,
                running_since = ?, settle_until = ?, retry_at = ?, stop_asked_at = ?, placement = ?, resume_from = ?,
                model = ?
            where id = ?
            """;
    static final String SELECT = "select job.*, spec, origin from job left join job_text on job_text.job_id = job.id ";

    private JobRow() {}

    /** The values of {@link #INSERT} and {@link #UPDATE}. */
    static Object[] values(JobRecord job) {
        Status status = job.status();
        Counters counters = job.counters();
        Times times = job.times();
        return new Object[] {
            job.spec().name(),
            job.origin().project(),
            job.origin().owner(),
            job.spec().queue(),
            job.spec().priority(),
            status.state().name(),
            job.version(),
            Row.name(status.target()),
            Row.name(status.cause()),
            status.reason().orElse(null),
            Row.name(status.restarting()),
            Row.nanos(status.noContactSince()),
            counters.attempt(),
            counters.restarts(),
            counters.uncounted(),
            Row.nanos(times.submittedAt()),
            Row.nanos(times.queuedAt()),
            Row.nanos(times.admittedAt()),
            Row.nanos(times.startedAt()),
            Row.nanos(times.finishedAt()),
            times.runningFor().toNanos(),
            Row.nanos(times.runningSince()),
            Row.nanos(times.settleUntil()),
            Row.nanos(times.retryAt()),
            Row.nanos(times.stopAskedAt()),
            Documents.write(job.placement()),
            job.resumeFrom().orElse(null),
            job.model().map(Documents::write).orElse(null),
            job.id().value()
        };
    }

    static JobRecord read(Row row, SpecTexts specs, List<Attempt> processes) throws SQLException {
        return new JobRecord(
                new JobId(row.text("id")),
                specs.spec(row.text("spec")),
                Documents.origin(row.text("origin")),
                status(row),
                new Counters(row.integer("attempt"), row.integer("restarts"), row.integer("uncounted")),
                times(row),
                Documents.placement(row.text("placement")),
                row.maybeText("resume_from"),
                processes,
                row.maybeText("model").map(Documents::model),
                row.number("version"));
    }

    /** What a step is checked against. */
    static Steps.End end(Row row) throws SQLException {
        return new Steps.End(
                status(row),
                row.maybeInstant("finished_at"),
                row.maybeText("model").map(Documents::model));
    }

    private static Status status(Row row) throws SQLException {
        return new Status(
                row.constant("state", JobState.class),
                row.maybeConstant("target", JobState.class),
                row.maybeConstant("cause", Cause.class),
                row.maybeText("reason"),
                row.maybeConstant("restarting", RestartScope.class),
                row.maybeInstant("no_contact_since"));
    }

    private static Times times(Row row) throws SQLException {
        return new Times(
                row.instant("submitted_at"),
                row.instant("queued_at"),
                row.maybeInstant("admitted_at"),
                row.maybeInstant("started_at"),
                row.maybeInstant("finished_at"),
                row.duration("running_for"),
                row.maybeInstant("running_since"),
                row.maybeInstant("settle_until"),
                row.maybeInstant("retry_at"),
                row.maybeInstant("stop_asked_at"));
    }
}
