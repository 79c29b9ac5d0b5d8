package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * How far the training is.
 *
 * @param metrics newest value of each metric
 */
public record ProgressDocument(
        OptionalLong step,
        OptionalLong total,
        OptionalDouble epoch,
        Map<String, Double> metrics,
        OptionalDouble etaSeconds)
        implements Document {
    public static final ProgressDocument NONE = new ProgressDocument(
            OptionalLong.empty(), OptionalLong.empty(), OptionalDouble.empty(), Map.of(), OptionalDouble.empty());

    public static ProgressDocument of(JsonFields json) {
        return new ProgressDocument(
                json.optionalInteger("step"),
                json.optionalInteger("total"),
                json.optionalNumber("epoch"),
                json.numberMap("metrics"),
                json.optionalNumber("etaSeconds"));
    }

    @Override
    public JsonFields toJson() {
        Map<String, Json> values = new LinkedHashMap<>();
        for (Map.Entry<String, Double> metric : metrics.entrySet()) {
            values.put(metric.getKey(), Json.of(metric.getValue().doubleValue()));
        }
        return Json.object()
                .put("step", Json.of(step))
                .put("total", Json.of(total))
                .put("epoch", Json.of(epoch))
                .put("metrics", new JsonFields(values))
                .put("etaSeconds", Json.of(etaSeconds))
                .build();
    }
}
