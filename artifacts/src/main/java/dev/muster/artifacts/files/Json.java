package dev.muster.artifacts.files;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/**
 * JSON (RFC 8259) as plain values: Map in the order of the text, List, String, Long, Double, Boolean, and {@link #NULL}. For the small
 * documents beside artifacts and for looking into other people's; the whole document is in memory.
 */
public final class Json {
    /** The JSON null, so that Java's does not travel. */
    public static final Object NULL = new Object() {
        @Override
        public String toString() {
            return "null";
        }
    };

    private Json() {}

    /**
     * Reads one document.
     *
     * @throws IllegalArgumentException when the text is no JSON document; the message gives the place
     */
    public static Object read(String text) {
        return new JsonReader(text).document();
    }

    /** The document, when the text is a JSON object. */
    @SuppressWarnings("unchecked")
    public static Optional<Map<String, Object>> object(String text) {
        try {
            return read(text) instanceof Map<?, ?> map ? Optional.of((Map<String, Object>) map) : Optional.empty();
        } catch (IllegalArgumentException noJson) {
            return Optional.empty();
        }
    }

    /** Writes maps, collections, text, numbers, booleans and {@link #NULL}. */
    public static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(out, value);
        return out.append('\n').toString();
    }

    private static void write(StringBuilder out, Object value) {
        switch (value) {
            case Map<?, ?> map -> {
                String before = "{";
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    out.append(before);
                    quote(out, String.valueOf(entry.getKey()));
                    out.append(':');
                    write(out, entry.getValue());
                    before = ",";
                }
                out.append(map.isEmpty() ? "{}" : "}");
            }
            case Collection<?> items -> {
                String before = "[";
                for (Object item : items) {
                    out.append(before);
                    write(out, item);
                    before = ",";
                }
                out.append(items.isEmpty() ? "[]" : "]");
            }
            case Number number -> out.append(number);
            case Boolean truth -> out.append(truth);
            case CharSequence text -> quote(out, text);
            default -> {
                if (value != NULL) {
                    throw new IllegalArgumentException("no JSON form for " + value.getClass());
                }
                out.append("null");
            }
        }
    }

    private static void quote(StringBuilder out, CharSequence text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20 || Character.isSurrogate(c)) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
