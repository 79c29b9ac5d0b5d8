package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;

/** The model version a job registered. */
public record ModelReference(String name, int version, String digest) implements Document {
    public static ModelReference of(JsonFields json) {
        return new ModelReference(json.text("name"), json.smallInteger("version"), json.text("digest"));
    }

    @Override
    public JsonFields toJson() {
        return Json.object()
                .put("name", name)
                .put("version", Json.of(version))
                .put("digest", digest)
                .build();
    }
}
