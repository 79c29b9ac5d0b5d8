package dev.muster.api;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** A record that travels as a JSON object; each has a static {@code of(JsonFields)} that reads what {@link #toJson} wrote. */
public interface Document {
    JsonFields toJson();

    /** An array of what {@link #toJson} gives for each. */
    static Json all(Collection<? extends Document> values) {
        List<Json> items = new ArrayList<>(values.size());
        for (Document value : values) {
            items.add(value.toJson());
        }
        return new Json.Items(items);
    }
}
