package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;

/**
 * A job whose stored record cannot be read.
 *
 * @param reason what is wrong, and what can be done
 */
public record UnreadableDocument(String id, String reason) implements Document {
    public static UnreadableDocument of(JsonFields json) {
        return new UnreadableDocument(json.text("id"), json.text("reason"));
    }

    @Override
    public JsonFields toJson() {
        return Json.object().put("id", id).put("reason", reason).build();
    }
}
