package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.util.Optional;

/**
 * One thing wrong with a request.
 *
 * @param field      path of the field, such as {@code roles.worker.count}; empty for the whole document
 * @param message    the rule that is broken and what was seen
 * @param suggestion what to write instead
 */
public record FieldProblem(String field, String message, Optional<String> suggestion) implements Document {
    public static FieldProblem of(JsonFields json) {
        return new FieldProblem(json.text("field"), json.text("message"), json.optionalText("suggestion"));
    }

    @Override
    public JsonFields toJson() {
        return Json.object()
                .put("field", field)
                .put("message", message)
                .put("suggestion", Json.ofText(suggestion))
                .build();
    }
}
