package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * An amount of what jobs share; in a quota what is absent is not bounded.
 *
 * @param cpus   cores
 * @param memory bytes
 * @param gpus   whole GPUs
 */
public record AmountDocument(OptionalInt processes, OptionalDouble cpus, OptionalLong memory, OptionalInt gpus)
        implements Document {
    /** A quota that bounds nothing. */
    public static final AmountDocument NONE =
            new AmountDocument(OptionalInt.empty(), OptionalDouble.empty(), OptionalLong.empty(), OptionalInt.empty());

    public static AmountDocument of(JsonFields json) {
        return new AmountDocument(
                json.optionalSmallInteger("processes"),
                json.optionalNumber("cpus"),
                json.optionalInteger("memory"),
                json.optionalSmallInteger("gpus"));
    }

    @Override
    public JsonFields toJson() {
        return Json.object()
                .put("processes", Json.of(processes))
                .put("cpus", Json.of(cpus))
                .put("memory", Json.of(memory))
                .put("gpus", Json.of(gpus))
                .build();
    }
}
