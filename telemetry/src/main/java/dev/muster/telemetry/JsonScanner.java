package dev.muster.telemetry;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Reads one JSON object as loosely as training code writes it: numbers in any decimal form ({@code .98}, {@code 12e2},
 * {@code -7.5E-05}), NaN and infinities by their names. Own code: bounded in depth, and nothing to load at start.
 *
 * <p>Values are Double, String, Map and {@link #OTHER} for everything a report has no use for.
 */
final class JsonScanner {
    /** A list, true, false or null. */
    static final Object OTHER = new Object();

    private static final int DEEPEST = 16;
    private static final int LONGEST_NUMBER = 400;
    private final String text;
    private int at;
    private int depth;

    private JsonScanner(String text) {
        this.text = text;
    }

    /**
     * Reads an object that is the whole text.
     *
     * @throws IllegalArgumentException when it is none, with what is wrong
     */
    static Map<String, Object> object(String text) {
        JsonScanner scanner = new JsonScanner(text);
        scanner.space();
        Map<String, Object> object = scanner.object();
        scanner.space();
        scanner.demand(scanner.at == text.length(), "nothing more");
        return object;
    }

    private Map<String, Object> object() {
        take('{');
        enter();
        Map<String, Object> object = new LinkedHashMap<>();
        space();
        if (!found('}')) {
            do {
                space();
                String name = string();
                space();
                take(':');
                object.put(name, value());
                space();
            } while (found(','));
            take('}');
        }
        depth--;
        return object;
    }

    private Object value() {
        space();
        demand(at < text.length(), "a value");
        return switch (text.charAt(at)) {
            case '{' -> object();
            case '[' -> list();
            case '"' -> string();
            default -> word();
        };
    }

    private Object list() {
        take('[');
        enter();
        space();
        if (!found(']')) {
            do {
                value();
                space();
            } while (found(','));
            take(']');
        }
        depth--;
        return OTHER;
    }

    private Object word() {
        int start = at;
        while (at < text.length() && "+-._".indexOf(text.charAt(at)) >= 0
                || at < text.length() && Character.isLetterOrDigit(text.charAt(at))) {
            at++;
        }
        String word = text.substring(start, at);
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "true", "false", "null" -> OTHER;
            case "nan", "+nan", "-nan" -> Double.NaN;
            case "inf", "+inf", "infinity", "+infinity" -> Double.POSITIVE_INFINITY;
            case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
            default -> number(word, start);
        };
    }

    private Double number(String word, int start) {
        boolean decimal = !word.isEmpty()
                && word.length() <= LONGEST_NUMBER
                && word.chars().allMatch(c -> c >= '0' && c <= '9' || "+-.eE".indexOf(c) >= 0);
        try {
            if (decimal) {
                return Double.valueOf(word);
            }
        } catch (NumberFormatException none) {
            // Told below.
        }
        at = start;
        throw wanted("a value");
    }

    private String string() {
        take('"');
        StringBuilder string = new StringBuilder();
        while (true) {
            demand(at < text.length(), "the end of a string");
            char c = text.charAt(at++);
            if (c == '"') {
                return string.toString();
            }
            string.append(c == '\\' ? escaped() : c);
        }
    }

    private char escaped() {
        demand(at < text.length(), "the end of a string");
        char c = text.charAt(at++);
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw wanted("an escape");
        };
    }

    private char unicode() {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            demand(at < text.length(), "four hexadecimal digits");
            int digit = Character.digit(text.charAt(at++), 16);
            demand(digit >= 0, "four hexadecimal digits");
            value = 16 * value + digit;
        }
        return (char) value;
    }

    private void enter() {
        depth++;
        demand(depth <= DEEPEST, "less depth");
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private boolean found(char c) {
        boolean there = at < text.length() && text.charAt(at) == c;
        at += there ? 1 : 0;
        return there;
    }

    private void take(char c) {
        if (!found(c)) {
            throw wanted("'" + c + "'");
        }
    }

    private void demand(boolean holds, String what) {
        if (!holds) {
            throw wanted(what);
        }
    }

    private IllegalArgumentException wanted(String what) {
        return new IllegalArgumentException("at character " + at + " " + what + " was expected");
    }
}
