package dev.muster.store;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The few JSON documents among the columns: objects, strings and numbers, read as strictly as they are written. Own code
 * because a library for it costs the cold start 80 ms and more.
 */
final class Json {
    private static final int DEPTH = 16;
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** Writes maps with text keys, strings, numbers; NaN and infinities become strings. */
    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> map) {
            String before = "{";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.append(before);
                quote((String) entry.getKey(), out);
                out.append(':');
                write(entry.getValue(), out);
                before = ",";
            }
            out.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof Double number && !Double.isFinite(number)) {
            quote(number.toString(), out);
        } else if (value instanceof Number) {
            out.append(value);
        } else {
            quote((String) value, out);
        }
    }

    private static void quote(String string, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20 || Character.isSurrogate(c)) {
                // Surrogates too: a lone one would not survive the database's UTF-8.
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    /**
     * Reads one object.
     *
     * @throws IllegalArgumentException when the text is anything else
     */
    static Map<String, Object> read(String text) {
        Json json = new Json(text);
        Map<String, Object> object = json.object(0);
        json.space();
        json.demand(json.at == text.length(), "text after the end");
        return object;
    }

    private Object value(int depth) {
        demand(depth < DEPTH, "too deep");
        space();
        return switch (peek()) {
            case '{' -> object(depth);
            case '"' -> string();
            default -> number();
        };
    }

    private Map<String, Object> object(int depth) {
        Map<String, Object> object = new LinkedHashMap<>();
        take('{');
        space();
        if (peek() == '}') {
            at++;
            return object;
        }
        while (true) {
            space();
            String key = string();
            space();
            take(':');
            object.put(key, value(depth + 1));
            space();
            if (peek() == '}') {
                at++;
                return object;
            }
            take(',');
        }
    }

    private String string() {
        take('"');
        StringBuilder string = new StringBuilder();
        while (true) {
            char c = next();
            if (c == '"') {
                return string.toString();
            }
            string.append(c == '\\' ? escaped() : c);
        }
    }

    private char escaped() {
        char c = next();
        if (c != 'u') {
            demand(c == '"' || c == '\\', "unknown escape");
            return c;
        }
        demand(at + 4 <= text.length(), "cut short");
        at += 4;
        return (char) Integer.parseInt(text, at - 4, at, 16);
    }

    private Number number() {
        int start = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String number = text.substring(start, at);
        boolean whole = number.chars().allMatch(c -> c == '-' || c >= '0' && c <= '9');
        return whole ? (Number) Long.parseLong(number) : (Number) Double.parseDouble(number);
    }

    private void space() {
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
    }

    private char peek() {
        demand(at < text.length(), "cut short");
        return text.charAt(at);
    }

    private char next() {
        char c = peek();
        at++;
        return c;
    }

    private void take(char c) {
        demand(next() == c, "no " + c);
    }

    private void demand(boolean holds, String what) {
        if (!holds) {
            throw new IllegalArgumentException("not a document of this store: " + what + " at character " + at);
        }
    }
}
