package dev.muster.spec.tree;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.Map;

/** Writes maps, collections, texts, numbers and truth values as JSON on one line that {@link TreeReader} reads back. */
public final class Json {
    private final StringBuilder text = new StringBuilder();

    private Json() {}

    public static String write(Object value) {
        Json json = new Json();
        json.value(value);
        return json.text.toString();
    }

    private void value(Object value) {
        switch (value) {
            case null -> text.append("null");
            case Map<?, ?> map -> map(map);
            case Collection<?> items -> items(items);
            case Boolean truth -> text.append(truth);
            case BigDecimal number -> text.append(number.toPlainString());
            case Number number -> text.append(number);
            default -> quoted(value.toString());
        }
    }

    private void map(Map<?, ?> map) {
        text.append('{');
        String separator = "";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            text.append(separator);
            quoted(entry.getKey().toString());
            text.append(':');
            value(entry.getValue());
            separator = ",";
        }
        text.append('}');
    }

    private void items(Collection<?> items) {
        text.append('[');
        String separator = "";
        for (Object item : items) {
            text.append(separator);
            value(item);
            separator = ",";
        }
        text.append(']');
    }

    /** Everything YAML might not take as it is goes as an escape; letters of any script stay readable. */
    private void quoted(String string) {
        text.append('"');
        for (int at = 0; at < string.length(); at++) {
            char each = string.charAt(at);
            if (each == '"' || each == '\\') {
                text.append('\\').append(each);
            } else if (each >= ' ' && each < 0x7f || Character.isLetterOrDigit(each)) {
                text.append(each);
            } else if (each == '\n') {
                text.append("\\n");
            } else {
                text.append("\\u%04x".formatted((int) each));
            }
        }
        text.append('"');
    }
}
