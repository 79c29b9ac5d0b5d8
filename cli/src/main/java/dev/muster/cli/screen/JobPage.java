package dev.muster.cli.screen;

import dev.muster.api.Called;
import dev.muster.api.JobDocument;
import dev.muster.api.ModelReference;
import dev.muster.api.ProcessDocument;
import dev.muster.cli.client.ServiceTime;
import dev.muster.cli.format.Durations;
import dev.muster.cli.format.Table;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** All about one job, for people. */
public final class JobPage {
    private static final String NONE = "-";

    private final ServiceTime time;
    private final DateTimeFormatter clock;
    private final int columns;
    private final Called called;

    /**
     * @param zone    in which times are shown
     * @param columns to fit the table of processes to
     * @param called  how commands are written
     */
    public JobPage(ServiceTime time, ZoneId zone, int columns, Called called) {
        this.time = time;
        this.clock = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withZone(zone);
        this.columns = columns;
        this.called = called;
    }

    public void write(JobDocument job, Consumer<String> lines) {
        lines.accept(job.name() + "  " + job.id());
        field(lines, "state", job.state() + position(job));
        job.reason().ifPresent(reason -> field(lines, "reason", reason));
        if (job.cause().equals(Optional.of("Stalled"))) {
            field(lines, "evidence", called.in("muster evidence " + job.id()));
        }
        job.noContact().ifPresent(since -> field(lines, "no contact", "with the backend since " + at(since)));
        job.warning().ifPresent(warning -> field(lines, "warning", warning));
        job.straggler()
                .ifPresent(straggler -> field(lines, "straggler", straggler.process() + ": " + straggler.reason()));
        field(
                lines,
                "runs",
                job.framework() + " on " + job.backend() + ", queue " + job.queue() + ", priority " + job.priority());
        field(lines, "submitted", at(job.submittedAt()));
        job.startedAt().ifPresent(start -> field(lines, "started", at(start)));
        job.finishedAt().ifPresent(end -> field(lines, "finished", at(end)));
        took(job).ifPresent(took -> field(lines, "took", took));
        if (job.attempt() > 1 || job.restarts() > 0) {
            field(lines, "attempt", job.attempt() + ", restarts counted: " + job.restarts());
        }
        String progress = ProgressLine.of(job.progress());
        if (!progress.isEmpty()) {
            field(lines, "progress", progress);
        }
        if (job.badRecords() > 0) {
            field(lines, "bad records", Long.toString(job.badRecords()));
        }
        job.model().ifPresent(model -> field(lines, "model", model(model)));
        if (!job.processes().isEmpty()) {
            lines.accept("");
            processes(job, lines);
        }
    }

    static String model(ModelReference model) {
        return model.name() + "@" + model.version() + "  " + model.digest();
    }

    private void processes(JobDocument job, Consumer<String> lines) {
        Table table = new Table()
                .column("PROCESS")
                .numberColumn("RANK")
                .column("STATE")
                .column("EXIT")
                .numberColumn("ATTEMPT")
                .optionalColumn("ADDRESS")
                .optionalColumn("PID")
                .optionalColumn("TOOK")
                .flexibleColumn("REASON");
        for (ProcessDocument process : job.processes()) {
            table.row(
                    process.name(),
                    show(process.rank()),
                    process.state(),
                    exit(process),
                    Integer.toString(process.attempt()),
                    process.address().orElse(NONE),
                    show(process.pid()),
                    duration(process.startedAt(), process.finishedAt()).orElse(NONE),
                    process.reason().orElse(""));
        }
        table.writeTo(columns, lines);
    }

    private static String exit(ProcessDocument process) {
        String code = show(process.exitCode());
        return process.signal().isPresent() ? code + " " + process.signal().get() : code;
    }

    private static String position(JobDocument job) {
        return job.queuePosition().isPresent()
                ? ", place " + job.queuePosition().getAsInt()
                : "";
    }

    /** A job that stands still takes no time that anybody would want to know. */
    private Optional<String> took(JobDocument job) {
        if (job.state().equals("Suspended") || job.state().equals("Queued")) {
            return Optional.empty();
        }
        return duration(job.startedAt(), job.finishedAt())
                .map(took -> took + (job.finishedAt().isPresent() ? "" : " so far"));
    }

    private Optional<String> duration(Optional<Instant> from, Optional<Instant> to) {
        Optional<Duration> took = from.isPresent() && to.isPresent()
                ? Optional.of(Duration.between(from.get(), to.get()))
                : from.flatMap(time::since);
        return took.map(Durations::show);
    }

    private String at(Instant instant) {
        String age = time.since(instant)
                .map(since -> " (" + Durations.age(since) + " ago)")
                .orElse("");
        return clock.format(instant) + age;
    }

    private static String show(OptionalInt number) {
        return number.isPresent() ? Integer.toString(number.getAsInt()) : NONE;
    }

    private static String show(OptionalLong number) {
        return number.isPresent() ? Long.toString(number.getAsLong()) : NONE;
    }

    private static void field(Consumer<String> lines, String name, String value) {
        lines.accept("  " + name + " ".repeat(13 - name.length()) + value);
    }
}
