package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.util.List;

/** Body of POST /v1/service/stop: with {@code cancel} every live job is cancelled first, else workers go on. */
public record StopRequest(boolean cancel) implements Document {
    public static StopRequest of(JsonFields json) {
        return new StopRequest(json.only(List.of("cancel")).bool("cancel"));
    }

    @Override
    public JsonFields toJson() {
        return Json.object().put("cancel", Json.of(cancel)).build();
    }
}
