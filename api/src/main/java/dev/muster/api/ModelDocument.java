package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.time.Instant;

/** One version of a registered model: an item of GET /v1/models. */
public record ModelDocument(String name, int version, String digest, String job, Instant createdAt)
        implements Document {
    public static ModelDocument of(JsonFields json) {
        return new ModelDocument(
                json.text("name"),
                json.smallInteger("version"),
                json.text("digest"),
                json.text("job"),
                json.time("createdAt"));
    }

    @Override
    public JsonFields toJson() {
        return Json.object()
                .put("name", name)
                .put("version", Json.of(version))
                .put("digest", digest)
                .put("job", job)
                .put("createdAt", Json.of(createdAt))
                .build();
    }
}
