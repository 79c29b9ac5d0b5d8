package dev.muster.artifacts.files;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Recursive-descent reader of one JSON document; nests at most 100 deep. Takes NaN and Infinity too, as Python writes them. */
final class JsonReader {
    private static final int DEEPEST = 100;

    private final String text;
    private int at;

    JsonReader(String text) {
        this.text = text;
    }

    Object document() {
        Object value = value(0);
        space();
        require(at == text.length(), "more after the document");
        return value;
    }

    private Object value(int depth) {
        require(depth <= DEEPEST, "nested too deep");
        space();
        return switch (peek()) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            case 't' -> word("true", Boolean.TRUE);
            case 'f' -> word("false", Boolean.FALSE);
            case 'n' -> word("null", Json.NULL);
            case 'N' -> word("NaN", Double.NaN);
            case 'I' -> word("Infinity", Double.POSITIVE_INFINITY);
            default -> number();
        };
    }

    private Map<String, Object> object(int depth) {
        Map<String, Object> map = new LinkedHashMap<>();
        at++;
        space();
        if (peek() == '}') {
            at++;
            return map;
        }
        while (true) {
            space();
            String key = string();
            space();
            take(':');
            require(map.put(key, value(depth + 1)) == null, "key " + key + " twice");
            space();
            if (peek() == '}') {
                at++;
                return map;
            }
            take(',');
        }
    }

    private List<Object> array(int depth) {
        List<Object> list = new ArrayList<>();
        at++;
        space();
        if (peek() == ']') {
            at++;
            return list;
        }
        while (true) {
            list.add(value(depth + 1));
            space();
            if (peek() == ']') {
                at++;
                return list;
            }
            take(',');
        }
    }

    private String string() {
        take('"');
        StringBuilder out = new StringBuilder();
        while (true) {
            char c = next();
            if (c == '"') {
                return out.toString();
            }
            require(c >= 0x20, "control character in text");
            out.append(c == '\\' ? escaped() : c);
        }
    }

    private char escaped() {
        char c = next();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                require(at + 4 <= text.length(), "cut short");
                at += 4;
                yield (char) Integer.parseInt(text, at - 4, at, 16);
            }
            default -> throw wrong("unknown escape \\" + c);
        };
    }

    private Object word(String word, Object value) {
        require(text.startsWith(word, at), "unknown word");
        at += word.length();
        return value;
    }

    private Object number() {
        if (text.startsWith("-Infinity", at)) {
            return word("-Infinity", Double.NEGATIVE_INFINITY);
        }
        int start = at;
        while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String number = text.substring(start, at);
        require(!number.isEmpty(), "a value was expected");
        try {
            return Long.valueOf(number);
        } catch (NumberFormatException notIntegral) {
            return Double.valueOf(number);
        }
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        require(at < text.length(), "cut short");
        return text.charAt(at);
    }

    private char next() {
        char c = peek();
        at++;
        return c;
    }

    private void take(char c) {
        require(peek() == c, "expected " + c);
        at++;
    }

    private void require(boolean holds, String what) {
        if (!holds) {
            throw wrong(what);
        }
    }

    private IllegalArgumentException wrong(String what) {
        return new IllegalArgumentException("no JSON: " + what + " at character " + at);
    }
}
