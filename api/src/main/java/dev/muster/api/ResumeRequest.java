package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.util.List;

/** Body of POST /v1/jobs/{id}/resume: overrides {@code path=value}; the whole changed text is checked. */
public record ResumeRequest(List<String> sets) implements Document {
    public ResumeRequest {
        sets = List.copyOf(sets);
    }

    public static ResumeRequest of(JsonFields json) {
        return new ResumeRequest(json.only(List.of("sets")).texts("sets"));
    }

    @Override
    public JsonFields toJson() {
        return Json.object().put("sets", Json.ofTexts(sets)).build();
    }
}
