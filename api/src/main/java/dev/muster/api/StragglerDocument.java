package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;

/**
 * The process that holds its group up.
 *
 * @param reason what was measured
 */
public record StragglerDocument(String process, String reason) implements Document {
    public static StragglerDocument of(JsonFields json) {
        return new StragglerDocument(json.text("process"), json.text("reason"));
    }

    @Override
    public JsonFields toJson() {
        return Json.object().put("process", process).put("reason", reason).build();
    }
}
