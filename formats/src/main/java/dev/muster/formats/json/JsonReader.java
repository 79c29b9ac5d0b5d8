package dev.muster.formats.json;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON strictly (RFC 8259), bounded in depth, and in size unless told otherwise. A key that comes twice in an object is refused. */
public final class JsonReader {
    /** Longest text that is read. */
    public static final int MAX_CHARACTERS = 64 << 20;
    /** Deepest nesting that is read. */
    public static final int MAX_DEPTH = 100;

    private static final int MAX_NUMERAL = 100;

    private final String text;
    private final boolean ofFile;
    private int at;
    private int depth;

    private JsonReader(String text, boolean ofFile) {
        this.text = text;
        this.ofFile = ofFile;
    }

    /**
     * Reads the one value that the text consists of.
     *
     * @throws JsonException when it does not, with the line and column of the fault
     */
    public static Json read(String text) {
        if (text.length() > MAX_CHARACTERS) {
            throw new JsonException("", "a JSON text of " + text.length() + " characters is too long");
        }
        return new JsonReader(text, false).document();
    }

    /**
     * Reads what a program left in a file: of any length, and with NaN, Infinity and -Infinity by their names, as Python writes them. They are
     * read as the texts that {@link Json#of(double)} makes of them.
     *
     * @throws JsonException when it is no such text, with the line and column of the fault
     */
    public static Json readFile(String text) {
        return new JsonReader(text, true).document();
    }

    private Json document() {
        Json value = value();
        blanks();
        if (at < text.length()) {
            throw fault("nothing may follow the document");
        }
        return value;
    }

    private Json value() {
        blanks();
        if (ofFile) {
            for (double nameless : new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
                if (text.startsWith(Double.toString(nameless), at)) {
                    return word(Double.toString(nameless), Json.of(nameless));
                }
            }
        }
        return switch (peek()) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> new Json.Text(string());
            case 't' -> word("true", new Json.Bool(true));
            case 'f' -> word("false", new Json.Bool(false));
            case 'n' -> word("null", Json.NULL);
            default -> numeral();
        };
    }

    private Json object() {
        enter();
        Map<String, Json> fields = new LinkedHashMap<>();
        if (!tryTake('}')) {
            do {
                blanks();
                String name = peek() == '"' ? string() : failText("a field name in quotes is expected");
                blanks();
                take(':');
                if (fields.put(name, value()) != null) {
                    throw fault("field \"" + name + "\" comes twice");
                }
            } while (more('}'));
        }
        depth--;
        return new JsonFields(Collections.unmodifiableMap(fields));
    }

    private Json array() {
        enter();
        List<Json> items = new ArrayList<>();
        if (!tryTake(']')) {
            do {
                items.add(value());
            } while (more(']'));
        }
        depth--;
        return new Json.Items(items);
    }

    private void enter() {
        if (++depth > MAX_DEPTH) {
            throw fault("nested deeper than " + MAX_DEPTH);
        }
        at++;
        blanks();
    }

    private boolean more(char end) {
        blanks();
        if (tryTake(',')) {
            return true;
        }
        take(end);
        return false;
    }

    private String string() {
        at++;
        int start = at;
        while (at < text.length() && text.charAt(at) != '"' && text.charAt(at) != '\\' && text.charAt(at) >= 0x20) {
            at++;
        }
        if (peek() == '"') {
            return text.substring(start, at++);
        }
        StringBuilder string = new StringBuilder(text.substring(start, at));
        while (peek() != '"') {
            char character = peek();
            if (character < 0x20) {
                throw fault("a control character in a string must be escaped");
            }
            at++;
            string.append(character == '\\' ? escaped() : character);
        }
        at++;
        return string.toString();
    }

    private char escaped() {
        char kind = peek();
        at++;
        return switch (kind) {
            case '"', '\\', '/' -> kind;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> hexadecimal();
            default -> throw fault("no such escape: \\" + kind);
        };
    }

    private char hexadecimal() {
        int code = 0;
        for (int count = 0; count < 4; count++) {
            int digit = peek() < 0x80 ? Character.digit(peek(), 16) : -1;
            if (digit < 0) {
                throw fault("\\u needs four hexadecimal digits");
            }
            code = code << 4 | digit;
            at++;
        }
        return (char) code;
    }

    private Json numeral() {
        int start = at;
        tryTake('-');
        if (!tryTake('0')) {
            digits();
        }
        if (tryTake('.')) {
            digits();
        }
        if (tryTake('e') || tryTake('E')) {
            if (!tryTake('+')) {
                tryTake('-');
            }
            digits();
        }
        if (at - start > MAX_NUMERAL && !ofFile) {
            throw fault("a number of more than " + MAX_NUMERAL + " characters");
        }
        return new Json.Numeral(text.substring(start, at));
    }

    private void digits() {
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        if (at == start) {
            throw fault("a value is expected");
        }
    }

    private Json word(String word, Json value) {
        if (!text.startsWith(word, at)) {
            throw fault("a value is expected");
        }
        at += word.length();
        return value;
    }

    private void blanks() {
        while (at < text.length() && " \n\r\t".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw fault("the text ends too early");
        }
        return text.charAt(at);
    }

    private boolean tryTake(char wanted) {
        if (at < text.length() && text.charAt(at) == wanted) {
            at++;
            return true;
        }
        return false;
    }

    private void take(char wanted) {
        if (!tryTake(wanted)) {
            throw fault("'" + wanted + "' is expected");
        }
    }

    private String failText(String rule) {
        throw fault(rule);
    }

    private JsonException fault(String rule) {
        int line = 1;
        int column = 1;
        for (int position = 0; position < Math.min(at, text.length()); position++) {
            column = text.charAt(position) == '\n' ? 1 : column + 1;
            line += text.charAt(position) == '\n' ? 1 : 0;
        }
        return new JsonException("", "no JSON at line " + line + " column " + column + ": " + rule);
    }
}
