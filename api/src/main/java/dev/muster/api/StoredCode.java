package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;

/** Answer to PUT /v1/code: {@code sha256:} and the digest over paths, modes and bytes of the snapshot. */
public record StoredCode(String digest) implements Document {
    public static StoredCode of(JsonFields json) {
        return new StoredCode(json.text("digest"));
    }

    @Override
    public JsonFields toJson() {
        return Json.object().put("digest", digest).build();
    }
}
