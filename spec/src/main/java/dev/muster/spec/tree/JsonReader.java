package dev.muster.spec.tree;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON (RFC 8259) that {@link Json} wrote: many times faster than YAML, since a service reads every stored job when it starts
 * and many while it runs. Text that people write goes through {@link TreeReader}, which tells what is wrong with it.
 */
public final class JsonReader {
    private static final String ESCAPES = "\"\\/bfnrt";
    private static final String ESCAPED = "\"\\/\b\f\n\r\t";

    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    /**
     * The tree of a JSON text.
     *
     * @throws IllegalArgumentException when it is none; the message says at which character
     */
    public static Tree read(String text) {
        JsonReader reader = new JsonReader(text);
        Tree tree = reader.value();
        reader.blanks();
        return reader.at == text.length() ? tree : reader.fail();
    }

    private Tree value() {
        blanks();
        return switch (peek()) {
            case '{' -> entries();
            case '[' -> items();
            case '"' -> new Tree.Scalar(string(), false);
            default -> word();
        };
    }

    private Tree entries() {
        Map<String, Tree> entries = new LinkedHashMap<>();
        at++;
        blanks();
        if (!taken('}')) {
            do {
                blanks();
                String name = peek() == '"' ? string() : fail();
                blanks();
                expect(':');
                entries.put(name, value());
                blanks();
            } while (taken(','));
            expect('}');
        }
        return new Tree.Entries(entries);
    }

    private Tree items() {
        List<Tree> items = new ArrayList<>();
        at++;
        blanks();
        if (!taken(']')) {
            do {
                items.add(value());
                blanks();
            } while (taken(','));
            expect(']');
        }
        return new Tree.Items(items);
    }

    private Tree word() {
        int start = at;
        while (at < text.length()
                && (Character.isLetterOrDigit(text.charAt(at)) || "+-.".indexOf(text.charAt(at)) >= 0)) {
            at++;
        }
        return at > start ? new Tree.Scalar(text.substring(start, at), true) : fail();
    }

    private String string() {
        int start = ++at;
        while (peek() != '"' && peek() != '\\') {
            at++;
        }
        if (taken('"')) {
            return text.substring(start, at - 1);
        }
        StringBuilder string = new StringBuilder(text.substring(start, at));
        while (!taken('"')) {
            string.append(taken('\\') ? escape() : text.charAt(at++));
            peek();
        }
        return string.toString();
    }

    private char escape() {
        char kind = peek();
        at++;
        int known = ESCAPES.indexOf(kind);
        if (known >= 0) {
            return ESCAPED.charAt(known);
        }
        if (kind == 'u' && at + 4 <= text.length()) {
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        }
        return fail();
    }

    private void blanks() {
        while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        return at < text.length() ? text.charAt(at) : fail();
    }

    private boolean taken(char expected) {
        boolean there = peek() == expected;
        at += there ? 1 : 0;
        return there;
    }

    private void expect(char expected) {
        if (!taken(expected)) {
            fail();
        }
    }

    /** Throws; typed so that it can stand for any value. */
    private <T> T fail() {
        throw new IllegalArgumentException("no JSON at character " + at);
    }
}
