package dev.muster.formats.json;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** A JSON value (RFC 8259). Immutable; {@link #toString} is its compact text. */
public sealed interface Json permits Json.Null, Json.Bool, Json.Numeral, Json.Text, Json.Items, JsonFields {
    Null NULL = new Null();

    /** The literal {@code null}. */
    record Null() implements Json {
        @Override
        public String toString() {
            return JsonWriter.write(this);
        }
    }

    /** {@code true} or {@code false}. */
    record Bool(boolean value) implements Json {
        @Override
        public String toString() {
            return JsonWriter.write(this);
        }
    }

    /** A number, as it is spelled: nothing is rounded on the way through. */
    record Numeral(String literal) implements Json {
        @Override
        public String toString() {
            return JsonWriter.write(this);
        }
    }

    /** A string. */
    record Text(String value) implements Json {
        @Override
        public String toString() {
            return JsonWriter.write(this);
        }
    }

    /** An array. */
    record Items(List<Json> values) implements Json {
        public Items {
            values = List.copyOf(values);
        }

        @Override
        public String toString() {
            return JsonWriter.write(this);
        }
    }

    /** Reads one JSON document of at most {@link JsonReader#MAX_CHARACTERS}. */
    static Json parse(String text) {
        return JsonReader.read(text);
    }

    static Json of(String value) {
        return new Text(value);
    }

    static Json of(boolean value) {
        return new Bool(value);
    }

    static Json of(long value) {
        return new Numeral(Long.toString(value));
    }

    /** A number; what JSON has no number for becomes the text NaN, Infinity or -Infinity. */
    static Json of(double value) {
        String text = Double.toString(value);
        return Double.isFinite(value) ? new Numeral(text) : new Text(text);
    }

    static Json of(Instant value) {
        return new Text(value.toString());
    }

    static Json ofText(Optional<String> value) {
        return value.isPresent() ? of(value.get()) : NULL;
    }

    static Json ofTime(Optional<Instant> value) {
        return value.isPresent() ? of(value.get()) : NULL;
    }

    static Json of(OptionalInt value) {
        return value.isPresent() ? of(value.getAsInt()) : NULL;
    }

    static Json of(OptionalLong value) {
        return value.isPresent() ? of(value.getAsLong()) : NULL;
    }

    static Json of(OptionalDouble value) {
        return value.isPresent() ? of(value.getAsDouble()) : NULL;
    }

    static Json ofTexts(Collection<String> values) {
        List<Json> items = new ArrayList<>(values.size());
        for (String value : values) {
            items.add(of(value));
        }
        return new Items(items);
    }

    static JsonFields ofTexts(Map<String, String> values) {
        Map<String, Json> fields = new LinkedHashMap<>();
        for (Map.Entry<String, String> entry : values.entrySet()) {
            fields.put(entry.getKey(), of(entry.getValue()));
        }
        return new JsonFields(Collections.unmodifiableMap(fields));
    }

    /** Starts an object; its fields stay in the order they are put. */
    static Builder object() {
        return new Builder();
    }

    /** Collects the fields of an object. */
    final class Builder {
        private final Map<String, Json> fields = new LinkedHashMap<>();

        private Builder() {}

        public Builder put(String name, Json value) {
            fields.put(name, value);
            return this;
        }

        public Builder put(String name, String value) {
            return put(name, of(value));
        }

        public JsonFields build() {
            return new JsonFields(Collections.unmodifiableMap(new LinkedHashMap<>(fields)));
        }
    }
}
