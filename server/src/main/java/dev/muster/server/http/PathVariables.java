package dev.muster.server.http;

import java.util.Map;

/** What stood in a path where its route has names in braces. */
public record PathVariables(Map<String, String> values) {
    public PathVariables {
        values = Map.copyOf(values);
    }

    /** The value; the route must have the name. */
    public String get(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the route has no {" + name + "}");
        }
        return value;
    }
}
