package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.time.Instant;
import java.util.Optional;

/**
 * One step of a job or of one of its processes.
 *
 * @param seq     grows from event to event
 * @param kind    {@code job} or {@code process}
 * @param process name of the process; empty for the job
 * @param from    state before; empty for the first
 */
public record EventDocument(
        long seq,
        Instant at,
        String kind,
        Optional<String> process,
        Optional<String> from,
        String to,
        Optional<String> cause,
        Optional<String> reason)
        implements Document {
    public static EventDocument of(JsonFields json) {
        return new EventDocument(
                json.integer("seq"),
                json.time("at"),
                json.text("kind"),
                json.optionalText("process"),
                json.optionalText("from"),
                json.text("to"),
                json.optionalText("cause"),
                json.optionalText("reason"));
    }

    @Override
    public JsonFields toJson() {
        return Json.object()
                .put("seq", Json.of(seq))
                .put("at", Json.of(at))
                .put("kind", kind)
                .put("process", Json.ofText(process))
                .put("from", Json.ofText(from))
                .put("to", to)
                .put("cause", Json.ofText(cause))
                .put("reason", Json.ofText(reason))
                .build();
    }
}
