package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.util.List;

/** Body of POST /v1/jobs/{id}/scale. */
public record ScaleRequest(String role, int count) implements Document {
    public static ScaleRequest of(JsonFields json) {
        json.only(List.of("role", "count"));
        return new ScaleRequest(json.text("role"), json.smallInteger("count"));
    }

    @Override
    public JsonFields toJson() {
        return Json.object().put("role", role).put("count", Json.of(count)).build();
    }
}
