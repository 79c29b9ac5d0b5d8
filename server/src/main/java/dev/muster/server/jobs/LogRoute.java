package dev.muster.server.jobs;

import dev.muster.api.ProblemType;
import dev.muster.control.Jobs;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.server.http.ByteRange;
import dev.muster.server.http.Exchange;
import dev.muster.server.http.Handler;
import dev.muster.server.http.PathVariables;
import dev.muster.server.http.ProblemException;
import dev.muster.server.http.Queries;
import dev.muster.spi.JobStore;
import dev.muster.telemetry.LogLine;
import dev.muster.telemetry.LogReader;
import dev.muster.telemetry.LogRequest;
import dev.muster.telemetry.LogRequest.Attempts;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** What the processes of a job wrote. It is read as fast as the client takes it, and nothing is kept for the client meanwhile. */
final class LogRoute implements Handler {
    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,8}");

    private static final String BYTES = "application/octet-stream";

    private final LogReader logs;
    private final JobStore store;
    private final JobFacts facts;
    private final Jobs jobs;
    private final JobReferences references;
    private final JobChanges changes;

    LogRoute(LogReader logs, JobStore store, JobFacts facts, Jobs jobs, JobReferences references, JobChanges changes) {
        this.jobs = jobs;
        this.logs = logs;
        this.store = store;
        this.facts = facts;
        this.references = references;
        this.changes = changes;
    }

    private record Way(boolean follow, boolean raw) {}

    @Override
    public void handle(Exchange exchange, PathVariables variables) throws IOException {
        JobId job = references.find(exchange, variables);
        JobRoutes.requireFiles(job, jobs);
        Optional<ProcessName> process = process(exchange, job);
        Attempts attempts = attempts(exchange);
        Way way = Queries.read(exchange, query -> new Way(query.flag("follow"), query.flag("raw")));
        if (!way.follow() && attempts instanceof Attempts.Only only) {
            checkThereIs(only.number(), job, process);
        }
        if (way.raw()) {
            if (process.isEmpty() || way.follow()) {
                throw ProblemException.invalid("raw", "raw bytes are of one process, and are not followed");
            }
            raw(exchange, job, process.get(), attempts);
            return;
        }
        Shown shown = new Shown(
                exchange.stream("text/plain; charset=utf-8", Map.of()),
                process.isEmpty(),
                attempts instanceof Attempts.All);
        LogRequest request = new LogRequest(job, process, attempts);
        if (way.follow()) {
            follow(request, shown);
        } else {
            logs.read(request, shown::line);
        }
        shown.lines.end();
    }

    private Optional<ProcessName> process(Exchange exchange, JobId job) {
        Optional<String> asked = exchange.query("process");
        if (asked.isEmpty()) {
            return Optional.empty();
        }
        Set<ProcessName> known = new TreeSet<>(
                store.find(job).map(record -> facts.of(record).ranks().keySet()).orElse(Set.of()));
        return Optional.of(known.stream()
                .filter(name -> name.toString().equals(asked.get()))
                .findFirst()
                .orElseThrow(() -> new ProblemException(
                        ProblemType.NOT_FOUND,
                        "Job " + job + " has no process '" + asked.get() + "'; it has "
                                + String.join(
                                        ", ",
                                        known.stream()
                                                .map(ProcessName::toString)
                                                .toList()) + ".")));
    }

    /** An attempt that has written nothing yet is one; a follower may wait for one to come. */
    private void checkThereIs(int attempt, JobId job, Optional<ProcessName> process) throws IOException {
        Set<Integer> known = new TreeSet<>();
        logs.logs(job).stream()
                .filter(key -> process.isEmpty() || process.get().equals(key.name()))
                .forEach(key -> known.add(key.attempt()));
        store.find(job).stream()
                .flatMap(record -> record.processes().stream())
                .filter(now -> process.isEmpty() || process.get().equals(now.name()))
                .forEach(now -> known.add(now.attempt()));
        if (!known.contains(attempt)) {
            throw new ProblemException(
                    ProblemType.NOT_FOUND,
                    process.map(name -> "Process " + name + " of job " + job).orElse("Job " + job) + " has no attempt "
                            + attempt + "; "
                            + (known.isEmpty()
                                    ? "it has none yet."
                                    : "it has "
                                            + String.join(
                                                    ", ",
                                                    known.stream()
                                                            .map(String::valueOf)
                                                            .toList()) + "."));
        }
    }

    private static Attempts attempts(Exchange exchange) {
        String asked = exchange.query("attempt").orElse("latest");
        if (NUMBER.matcher(asked).matches()) {
            return new Attempts.Only(Integer.parseInt(asked));
        }
        return switch (asked) {
            case "all" -> new Attempts.All();
            case "latest" -> new Attempts.Latest();
            default -> throw ProblemException.invalid("attempt", "attempt must be a number from 1, or all");
        };
    }

    private void follow(LogRequest request, Shown shown) throws IOException {
        try (JobChanges.Subscription news = changes.of(request.job()::equals)) {
            Over over = new Over(request.job(), news);
            logs.follow(
                    request,
                    () -> {
                        shown.flush();
                        return over.look();
                    },
                    shown::line);
        } catch (InterruptedException stopping) {
            throw new InterruptedIOException("the service stops");
        }
    }

    /** The bytes as they are; of one attempt, a part when the request wants one. */
    private void raw(Exchange exchange, JobId job, ProcessName process, Attempts attempts) throws IOException {
        List<ProcessKey> keys = logs.logs(job).stream()
                .filter(key -> key.name().equals(process))
                .toList();
        OptionalInt latest = keys.stream().mapToInt(ProcessKey::attempt).max();
        List<ProcessKey> wanted = keys.stream()
                .filter(key -> switch (attempts) {
                    case Attempts.All ignored -> true;
                    case Attempts.Latest ignored -> key.attempt() == latest.getAsInt();
                    case Attempts.Only only -> key.attempt() == only.number();
                })
                .toList();
        if (wanted.size() == 1 && !(attempts instanceof Attempts.All)) {
            rawPart(exchange, wanted.getFirst());
            return;
        }
        OutputStream out = exchange.stream(BYTES, Map.of());
        for (ProcessKey key : wanted) {
            logs.raw(key, 0, logs.size(key).orElse(0), out);
        }
        out.close();
    }

    private void rawPart(Exchange exchange, ProcessKey key) throws IOException {
        long size = logs.size(key).orElse(0);
        Optional<ByteRange> part = ByteRange.of(exchange, size);
        OutputStream out = part.isPresent()
                ? exchange.stream(206, BYTES, part.get().headers())
                : exchange.stream(BYTES, Map.of("Accept-Ranges", "bytes"));
        logs.raw(
                key,
                part.map(ByteRange::first).orElse(0L),
                part.map(ByteRange::count).orElse(size),
                out);
        out.close();
    }

    /** Whether the job is final, looked up only after it has changed. */
    private final class Over {
        private final JobId job;
        private final JobChanges.Subscription news;
        private boolean first = true;

        Over(JobId job, JobChanges.Subscription news) {
            this.job = job;
            this.news = news;
        }

        boolean look() {
            if (changes.isClosed()) {
                throw new UncheckedIOException(new IOException("the service stops"));
            }
            if (!news.came() && !first) {
                return false;
            }
            first = false;
            return store.find(job)
                    .map(JobRecord::state)
                    .filter(state -> !state.isFinal())
                    .isEmpty();
        }
    }

    /** Lines on their way to one client. */
    private static final class Shown {
        private final LineStream lines;
        private final boolean process;
        private final boolean attempt;

        Shown(OutputStream out, boolean process, boolean attempt) {
            this.lines = new LineStream(out);
            this.process = process;
            this.attempt = attempt;
        }

        boolean line(LogLine line) throws IOException {
            lines.line(line.shown(process, attempt));
            return true;
        }

        void flush() {
            try {
                lines.flush();
            } catch (IOException gone) {
                throw new UncheckedIOException(gone);
            }
        }
    }
}
