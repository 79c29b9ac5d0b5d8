package dev.muster.cli;

import dev.muster.api.EventDocument;
import dev.muster.api.JobDocument;
import dev.muster.api.ModelReference;
import dev.muster.api.ProcessDocument;
import dev.muster.api.ProgressDocument;
import dev.muster.formats.json.Json;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Documents for tests. */
public final class Documents {
    public static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

    private Documents() {}

    /** A job of two workers in this state, submitted at noon and started a second later. */
    public static JobDocument job(String state) {
        return new JobDocument(
                "kx1a2b3c4d",
                "hello",
                "ann",
                "default",
                state,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                1,
                0,
                "plain",
                "local",
                "default",
                OptionalInt.empty(),
                0,
                NOON,
                Optional.of(NOON.plusSeconds(1)),
                Optional.empty(),
                ProgressDocument.NONE,
                0,
                List.of(process(0, "Running"), process(1, "Running")),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Json.object().put("name", "hello").put("grace", "30s").build());
    }

    public static ProcessDocument process(int index, String state) {
        return new ProcessDocument(
                "worker-" + index,
                "worker",
                index,
                OptionalInt.of(index),
                OptionalInt.empty(),
                state,
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                1,
                Optional.of("127.0.0.1"),
                OptionalLong.of(100 + index),
                Optional.of(NOON.plusSeconds(1)),
                Optional.empty(),
                OptionalLong.empty(),
                OptionalDouble.empty());
    }

    public static ProcessDocument exited(int index, int code) {
        ProcessDocument running = process(index, "Exited");
        return new ProcessDocument(
                running.name(),
                running.role(),
                index,
                running.rank(),
                running.localRank(),
                "Exited",
                OptionalInt.of(code),
                Optional.empty(),
                code == 0 ? Optional.empty() : Optional.of("UserError: exit code " + code),
                1,
                running.address(),
                running.pid(),
                running.startedAt(),
                Optional.of(NOON.plusSeconds(8)),
                OptionalLong.empty(),
                OptionalDouble.empty());
    }

    /** The same job at another point. */
    public static JobDocument with(JobDocument job, String state, ProgressDocument progress) {
        return new JobDocument(
                job.id(),
                job.name(),
                "ann",
                "default",
                state,
                job.cause(),
                job.reason(),
                job.noContact(),
                job.attempt(),
                job.restarts(),
                job.framework(),
                job.backend(),
                job.queue(),
                job.queuePosition(),
                job.priority(),
                job.submittedAt(),
                job.startedAt(),
                job.finishedAt(),
                progress,
                job.badRecords(),
                job.processes(),
                job.model(),
                job.warning(),
                job.straggler(),
                job.spec());
    }

    /** It ended at nine seconds past noon. */
    public static JobDocument ended(String state, Optional<String> reason, Optional<ModelReference> model) {
        JobDocument job = job(state);
        boolean well = state.equals("Succeeded");
        return new JobDocument(
                job.id(),
                job.name(),
                "ann",
                "default",
                state,
                reason.map(text -> text.replaceAll(":.*", "")),
                reason,
                Optional.empty(),
                1,
                0,
                "plain",
                "local",
                "default",
                OptionalInt.empty(),
                0,
                NOON,
                job.startedAt(),
                Optional.of(NOON.plusSeconds(9)),
                progress(938, 938, Map.of("accuracy", 0.87125)),
                0,
                List.of(exited(0, 0), exited(1, well ? 0 : 3)),
                model,
                Optional.empty(),
                Optional.empty(),
                job.spec());
    }

    public static ProgressDocument progress(long step, long total, Map<String, Double> metrics) {
        return new ProgressDocument(
                OptionalLong.of(step),
                OptionalLong.of(total),
                OptionalDouble.of(1),
                new LinkedHashMap<>(metrics),
                step == total ? OptionalDouble.empty() : OptionalDouble.of(90));
    }

    public static EventDocument event(long seq, double second, String from, String to) {
        return new EventDocument(
                seq,
                NOON.plusMillis(Math.round(second * 1000)),
                "job",
                Optional.empty(),
                from.isEmpty() ? Optional.empty() : Optional.of(from),
                to,
                Optional.empty(),
                Optional.empty());
    }

    /** A whole life: environment 2 s, start 1 s, training 4 s, publishing 0.5 s. */
    public static List<EventDocument> life(String end) {
        return List.of(
                event(1, 0, "", "Queued"),
                event(2, 0.1, "Queued", "Admitted"),
                event(3, 2.1, "Admitted", "Starting"),
                event(4, 3.1, "Starting", "Running"),
                event(5, 7.1, "Running", "Publishing"),
                event(6, 7.6, "Publishing", end));
    }

    /** Lines of JSON. */
    public static String lines(List<? extends dev.muster.api.Document> documents) {
        StringBuilder text = new StringBuilder();
        documents.forEach(document -> text.append(document.toJson()).append('\n'));
        return text.toString();
    }
}
