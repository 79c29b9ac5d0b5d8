package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.util.OptionalLong;

/**
 * One checkpoint of a job.
 *
 * @param step  absent for a name without a number
 * @param path  what the framework's restore takes
 * @param whole whether all of it is there
 */
public record CheckpointDocument(String name, OptionalLong step, String path, boolean whole, String job)
        implements Document {
    public static CheckpointDocument of(JsonFields json) {
        return new CheckpointDocument(
                json.text("name"),
                json.optionalInteger("step"),
                json.text("path"),
                json.bool("whole"),
                json.text("job"));
    }

    @Override
    public JsonFields toJson() {
        return Json.object()
                .put("name", name)
                .put("step", Json.of(step))
                .put("path", path)
                .put("whole", Json.of(whole))
                .put("job", job)
                .build();
    }
}
