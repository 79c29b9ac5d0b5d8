package dev.muster.cli.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The query of a request; {@link #toString} begins with {@code ?} unless it is empty. */
public final class Query {
    private final StringBuilder text = new StringBuilder();

    public Query put(String name, String value) {
        text.append(text.isEmpty() ? '?' : '&').append(name).append('=').append(encode(value));
        return this;
    }

    /** Left out when there is no value. */
    public Query put(String name, Optional<String> value) {
        return value.isPresent() ? put(name, value.get()) : this;
    }

    /** Left out when false. */
    public Query flag(String name, boolean value) {
        return value ? put(name, "true") : this;
    }

    /** Fit for one segment of a path, and for a query. */
    static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
