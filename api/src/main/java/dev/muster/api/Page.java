package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A list answer.
 *
 * @param next what to give as {@code before} to get the next page; empty when there is none
 */
public record Page<T extends Document>(List<T> items, Optional<String> next) implements Document {
    public Page {
        items = List.copyOf(items);
    }

    public static <T extends Document> Page<T> of(JsonFields json, Function<JsonFields, T> reader) {
        return new Page<>(json.list("items", reader), json.optionalText("next"));
    }

    @Override
    public JsonFields toJson() {
        return Json.object()
                .put("items", Document.all(items))
                .put("next", Json.ofText(next))
                .build();
    }
}
