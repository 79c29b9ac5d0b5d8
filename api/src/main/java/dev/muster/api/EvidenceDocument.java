package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;

/**
 * One file about why an attempt did not go on.
 *
 * @param process   name of the process
 * @param file      name of the file
 * @param truncated whether the file is longer than the text
 */
public record EvidenceDocument(String process, int attempt, String file, String text, boolean truncated)
        implements Document {
    public static EvidenceDocument of(JsonFields json) {
        return new EvidenceDocument(
                json.text("process"),
                json.smallInteger("attempt"),
                json.text("file"),
                json.text("text"),
                json.bool("truncated"));
    }

    @Override
    public JsonFields toJson() {
        return Json.object()
                .put("process", process)
                .put("attempt", Json.of(attempt))
                .put("file", file)
                .put("text", text)
                .put("truncated", Json.of(truncated))
                .build();
    }
}
