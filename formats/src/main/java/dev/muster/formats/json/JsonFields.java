package dev.muster.formats.json;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * A JSON object, with its fields read by kind. A field that is missing reads as {@code null}; a field of another kind than asked for
 * throws {@link JsonException}.
 *
 * @param values in the order written
 */
public record JsonFields(Map<String, Json> values) implements Json {

    /** The field as it is. */
    public Json get(String name) {
        return values.getOrDefault(name, Json.NULL);
    }

    public String text(String name) {
        return get(name) instanceof Json.Text(String value) ? value : wrong(name, "a text");
    }

    public Optional<String> optionalText(String name) {
        return isNull(name) ? Optional.empty() : Optional.of(text(name));
    }

    public boolean bool(String name) {
        return get(name) instanceof Json.Bool(boolean value) ? value : JsonFields.<Boolean>wrong(name, "true or false");
    }

    public long integer(String name) {
        if (get(name) instanceof Json.Numeral(String literal)) {
            try {
                return Long.parseLong(literal);
            } catch (NumberFormatException notWhole) {
                return wrong(name, "a whole number");
            }
        }
        return wrong(name, "a whole number");
    }

    public int smallInteger(String name) {
        long value = integer(name);
        return value == (int) value ? (int) value : JsonFields.<Integer>wrong(name, "a whole number below 2^31");
    }

    /** A number, or the text NaN, Infinity or -Infinity. */
    public double number(String name) {
        return number(name, get(name));
    }

    public OptionalLong optionalInteger(String name) {
        return isNull(name) ? OptionalLong.empty() : OptionalLong.of(integer(name));
    }

    public OptionalInt optionalSmallInteger(String name) {
        return isNull(name) ? OptionalInt.empty() : OptionalInt.of(smallInteger(name));
    }

    public OptionalDouble optionalNumber(String name) {
        return isNull(name) ? OptionalDouble.empty() : OptionalDouble.of(number(name));
    }

    public Instant time(String name) {
        try {
            return Instant.parse(text(name));
        } catch (DateTimeException notATime) {
            return wrong(name, "a time such as 2026-01-31T12:00:00Z");
        }
    }

    public Optional<Instant> optionalTime(String name) {
        return isNull(name) ? Optional.empty() : Optional.of(time(name));
    }

    public JsonFields object(String name) {
        return get(name) instanceof JsonFields fields ? fields : wrong(name, "an object");
    }

    public Optional<JsonFields> optionalObject(String name) {
        return isNull(name) ? Optional.empty() : Optional.of(object(name));
    }

    /** An array of texts; null is an empty one. */
    public List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        for (Json item : items(name)) {
            texts.add(item instanceof Json.Text(String value) ? value : wrong(name, "a list of texts"));
        }
        return List.copyOf(texts);
    }

    /** An object whose values are texts, in its order; null is an empty one. */
    public Map<String, String> textMap(String name) {
        Map<String, String> map = new LinkedHashMap<>();
        for (Map.Entry<String, Json> entry : entries(name)) {
            String field = name + "." + entry.getKey();
            map.put(
                    entry.getKey(),
                    entry.getValue() instanceof Json.Text(String value) ? value : wrong(field, "a text"));
        }
        return map;
    }

    /** An object whose values are numbers, in its order; null is an empty one. */
    public Map<String, Double> numberMap(String name) {
        Map<String, Double> map = new LinkedHashMap<>();
        for (Map.Entry<String, Json> entry : entries(name)) {
            map.put(entry.getKey(), number(name + "." + entry.getKey(), entry.getValue()));
        }
        return map;
    }

    /** An array of objects, each read by {@code reader}; null is an empty one. */
    public <T> List<T> list(String name, Function<JsonFields, T> reader) {
        List<T> list = new ArrayList<>();
        for (Json item : items(name)) {
            list.add(reader.apply(item instanceof JsonFields fields ? fields : wrong(name, "a list of objects")));
        }
        return List.copyOf(list);
    }

    /** Refuses every field whose name is not one of these. */
    public JsonFields only(Collection<String> names) {
        List<JsonException.Wrong> unknown = values.keySet().stream()
                .filter(name -> !names.contains(name))
                .map(name -> new JsonException.Wrong(
                        name, name + " is no field of this request; it has " + String.join(", ", names)))
                .toList();
        if (!unknown.isEmpty()) {
            throw new JsonException(unknown);
        }
        return this;
    }

    private boolean isNull(String name) {
        return get(name) instanceof Json.Null;
    }

    private List<Json> items(String name) {
        return switch (get(name)) {
            case Json.Null ignored -> List.of();
            case Json.Items(List<Json> items) -> items;
            case Json.Bool ignored -> wrong(name, "a list");
            case Json.Numeral ignored -> wrong(name, "a list");
            case Json.Text ignored -> wrong(name, "a list");
            case JsonFields ignored -> wrong(name, "a list");
        };
    }

    private Collection<Map.Entry<String, Json>> entries(String name) {
        return isNull(name) ? List.of() : object(name).values.entrySet();
    }

    private static double number(String name, Json value) {
        if (value instanceof Json.Numeral(String literal)) {
            return Double.parseDouble(literal);
        }
        return switch (value instanceof Json.Text(String text) ? text : "") {
            case "NaN" -> Double.NaN;
            case "Infinity" -> Double.POSITIVE_INFINITY;
            case "-Infinity" -> Double.NEGATIVE_INFINITY;
            default -> JsonFields.<Double>wrong(name, "a number");
        };
    }

    private static <T> T wrong(String name, String expected) {
        throw new JsonException(name, name + " must be " + expected);
    }

    @Override
    public String toString() {
        return JsonWriter.write(this);
    }
}
