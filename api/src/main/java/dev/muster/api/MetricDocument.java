package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.time.Instant;

/** One value of one metric of a job. */
public record MetricDocument(Instant at, long step, String metric, double value) implements Document {
    public static MetricDocument of(JsonFields json) {
        return new MetricDocument(json.time("at"), json.integer("step"), json.text("metric"), json.number("value"));
    }

    @Override
    public JsonFields toJson() {
        return Json.object()
                .put("at", Json.of(at))
                .put("step", Json.of(step))
                .put("metric", metric)
                .put("value", Json.of(value))
                .build();
    }
}
