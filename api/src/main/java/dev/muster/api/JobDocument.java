package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A job as {@code get} shows it.
 *
 * @param owner         who submitted it
 * @param project       the project it belongs to
 * @param state         Queued, Admitted, Starting, Running, Restarting, Stopping, Suspended, Publishing, Succeeded, Failed, Cancelled
 * @param cause         code of why it failed, waits or is restarted
 * @param reason        one sentence, starting with the code and a colon where there is a cause
 * @param noContact     since when its backend, or the only replica that can follow it, has not been reached
 * @param attempt       attempt of the group, 0 before the first
 * @param restarts      restarts that count
 * @param queuePosition from 1, while Queued
 * @param processes     newest attempt of every process
 * @param model         the registered model version
 * @param warning       what a person should look at, though nothing is done about it
 * @param straggler     who holds the group up
 * @param spec          the job text with every default filled in
 */
public record JobDocument(
        String id,
        String name,
        String owner,
        String project,
        String state,
        Optional<String> cause,
        Optional<String> reason,
        Optional<Instant> noContact,
        int attempt,
        int restarts,
        String framework,
        String backend,
        String queue,
        OptionalInt queuePosition,
        int priority,
        Instant submittedAt,
        Optional<Instant> startedAt,
        Optional<Instant> finishedAt,
        ProgressDocument progress,
        long badRecords,
        List<ProcessDocument> processes,
        Optional<ModelReference> model,
        Optional<String> warning,
        Optional<StragglerDocument> straggler,
        JsonFields spec)
        implements Document {
    public JobDocument {
        processes = List.copyOf(processes);
    }

    public static JobDocument of(JsonFields json) {
        return new JobDocument(
                json.text("id"),
                json.text("name"),
                json.optionalText("owner").orElse(""),
                json.optionalText("project").orElse(""),
                json.text("state"),
                json.optionalText("cause"),
                json.optionalText("reason"),
                json.optionalTime("noContact"),
                json.smallInteger("attempt"),
                json.smallInteger("restarts"),
                json.text("framework"),
                json.text("backend"),
                json.text("queue"),
                json.optionalSmallInteger("queuePosition"),
                json.smallInteger("priority"),
                json.time("submittedAt"),
                json.optionalTime("startedAt"),
                json.optionalTime("finishedAt"),
                ProgressDocument.of(json.object("progress")),
                json.integer("badRecords"),
                json.list("processes", ProcessDocument::of),
                json.optionalObject("model").map(ModelReference::of),
                json.optionalText("warning"),
                json.optionalObject("straggler").map(StragglerDocument::of),
                json.object("spec"));
    }

    /** Whether it is Succeeded, Failed or Cancelled, which never changes again. */
    public boolean isFinal() {
        return switch (state) {
            case "Succeeded", "Failed", "Cancelled" -> true;
            default -> false;
        };
    }

    @Override
    public JsonFields toJson() {
        return Json.object()
                .put("id", id)
                .put("name", name)
                .put("owner", owner)
                .put("project", project)
                .put("state", state)
                .put("cause", Json.ofText(cause))
                .put("reason", Json.ofText(reason))
                .put("noContact", Json.ofTime(noContact))
                .put("attempt", Json.of(attempt))
                .put("restarts", Json.of(restarts))
                .put("framework", framework)
                .put("backend", backend)
                .put("queue", queue)
                .put("queuePosition", Json.of(queuePosition))
                .put("priority", Json.of(priority))
                .put("submittedAt", Json.of(submittedAt))
                .put("startedAt", Json.ofTime(startedAt))
                .put("finishedAt", Json.ofTime(finishedAt))
                .put("progress", progress.toJson())
                .put("badRecords", Json.of(badRecords))
                .put("processes", Document.all(processes))
                .put("model", model.isPresent() ? model.get().toJson() : Json.NULL)
                .put("warning", Json.ofText(warning))
                .put("straggler", straggler.isPresent() ? straggler.get().toJson() : Json.NULL)
                .put("spec", spec)
                .build();
    }
}
