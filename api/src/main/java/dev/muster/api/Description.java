package dev.muster.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The description of the API, OpenAPI 3.1 in YAML. */
public final class Description {
    private Description() {}

    public static String text() {
        try (InputStream in = Description.class.getResourceAsStream("openapi.yaml")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
