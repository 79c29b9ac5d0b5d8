package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;

/** Answer to POST /v1/jobs: the job is stored. */
public record Submitted(String id) implements Document {
    public static Submitted of(JsonFields json) {
        return new Submitted(json.text("id"));
    }

    @Override
    public JsonFields toJson() {
        return Json.object().put("id", id).build();
    }
}
