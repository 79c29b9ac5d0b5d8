package dev.muster.formats.json;

import java.util.Map;

/** Writes JSON compactly, on one line. A half of a surrogate pair is escaped, so the text is always whole UTF-8. */
public final class JsonWriter {
    private static final String HEXADECIMAL = "0123456789abcdef";

    private JsonWriter() {}

    public static String write(Json value) {
        StringBuilder text = new StringBuilder();
        write(value, text);
        return text.toString();
    }

    /** Appends the value to {@code text}. */
    public static void write(Json value, StringBuilder text) {
        switch (value) {
            case Json.Null ignored -> text.append("null");
            case Json.Bool(boolean truth) -> text.append(truth);
            case Json.Numeral(String literal) -> text.append(literal);
            case Json.Text(String string) -> quote(string, text);
            case Json.Items items -> {
                char before = '[';
                for (Json item : items.values()) {
                    write(item, text.append(before));
                    before = ',';
                }
                text.append(before == '[' ? "[]" : "]");
            }
            case JsonFields fields -> {
                char before = '{';
                for (Map.Entry<String, Json> field : fields.values().entrySet()) {
                    quote(field.getKey(), text.append(before));
                    write(field.getValue(), text.append(':'));
                    before = ',';
                }
                text.append(before == '{' ? "{}" : "}");
            }
        }
    }

    private static void quote(String string, StringBuilder text) {
        text.append('"');
        for (int at = 0; at < string.length(); at++) {
            char character = string.charAt(at);
            switch (character) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                default -> {
                    if (character < 0x20 || isHalf(string, at)) {
                        escape(character, text);
                    } else {
                        text.append(character);
                    }
                }
            }
        }
        text.append('"');
    }

    private static boolean isHalf(String string, int at) {
        char character = string.charAt(at);
        if (Character.isHighSurrogate(character)) {
            return at + 1 == string.length() || !Character.isLowSurrogate(string.charAt(at + 1));
        }
        return Character.isLowSurrogate(character) && (at == 0 || !Character.isHighSurrogate(string.charAt(at - 1)));
    }

    private static void escape(char character, StringBuilder text) {
        text.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            text.append(HEXADECIMAL.charAt(character >> shift & 0xf));
        }
    }
}
