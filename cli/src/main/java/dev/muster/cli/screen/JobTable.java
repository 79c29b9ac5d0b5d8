package dev.muster.cli.screen;

import dev.muster.api.JobDocument;
import dev.muster.api.ProgressDocument;
import dev.muster.cli.client.ServiceTime;
import dev.muster.cli.format.Durations;
import dev.muster.cli.format.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Jobs, a line each. */
public final class JobTable {
    private static final String NONE = "-";

    private JobTable() {}

    public static void write(List<JobDocument> jobs, ServiceTime time, int columns, Consumer<String> lines) {
        Table table = new Table()
                .column("ID")
                .flexibleColumn("NAME")
                .column("STATE")
                .optionalColumn("PROGRESS")
                .optionalColumn("SUBMITTED")
                .optionalColumn("TOOK")
                .flexibleColumn("NOTE");
        for (JobDocument job : jobs) {
            table.row(
                    job.id(),
                    job.name(),
                    job.state(),
                    progress(job.progress()),
                    time.since(job.submittedAt())
                            .map(age -> Durations.age(age) + " ago")
                            .orElse(job.submittedAt().toString()),
                    took(job, time),
                    note(job));
        }
        table.writeTo(columns, lines);
    }

    private static String progress(ProgressDocument progress) {
        if (progress.step().isEmpty()) {
            return NONE;
        }
        String total = progress.total().isPresent() ? "/" + progress.total().getAsLong() : "";
        return progress.step().getAsLong() + total;
    }

    /** Since the first start, to the end or to now; a job that stands still shows none. */
    private static String took(JobDocument job, ServiceTime time) {
        boolean standsStill = job.state().equals("Suspended") || job.state().equals("Queued");
        if (job.startedAt().isEmpty() || standsStill) {
            return NONE;
        }
        Instant start = job.startedAt().get();
        Optional<Duration> took = job.finishedAt().isPresent()
                ? job.finishedAt().map(end -> Duration.between(start, end))
                : time.since(start);
        return took.map(Durations::show).orElse(NONE);
    }

    private static String note(JobDocument job) {
        if (job.model().isPresent()) {
            return "model " + job.model().get().name() + "@" + job.model().get().version();
        }
        if (job.noContact().isPresent()) {
            return job.reason().filter(NoContact::isTold).orElse(NoContact.WORDS);
        }
        String position =
                job.queuePosition().isPresent() ? "place " + job.queuePosition().getAsInt() : "";
        return job.reason().orElse(position);
    }
}
