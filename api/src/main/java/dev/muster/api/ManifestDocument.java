package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;

/**
 * A job as the file of another system.
 *
 * @param as   which kind: tfjob, pytorchjob, mpijob, pods
 * @param yaml the file, with comments at its head on what it does not carry
 */
public record ManifestDocument(String as, String yaml) implements Document {
    public static ManifestDocument of(JsonFields json) {
        return new ManifestDocument(json.text("as"), json.text("yaml"));
    }

    @Override
    public JsonFields toJson() {
        return Json.object().put("as", as).put("yaml", yaml).build();
    }
}
