package dev.muster.server.measure;

import java.util.Locale;
import java.util.Map;

/** Writes Prometheus' text exposition format, version 0.0.4. For one thread. */
final class Exposition {
    static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final StringBuilder text = new StringBuilder();

    /**
     * Begins a metric; its samples follow.
     *
     * @param type counter, gauge or histogram
     */
    Exposition metric(String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        return this;
    }

    /** A sample; labels in their order. */
    Exposition sample(String name, Map<String, String> labels, double value) {
        text.append(name);
        if (!labels.isEmpty()) {
            char before = '{';
            for (Map.Entry<String, String> label : labels.entrySet()) {
                text.append(before)
                        .append(label.getKey())
                        .append("=\"")
                        .append(escaped(label.getValue()))
                        .append('"');
                before = ',';
            }
            text.append('}');
        }
        text.append(' ').append(number(value)).append('\n');
        return this;
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? String.format(Locale.ROOT, "%.0f", value)
                : Double.toString(value);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
