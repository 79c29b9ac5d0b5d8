package dev.muster.cli.client;

import dev.muster.cli.base.Failure;
import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonException;
import dev.muster.formats.json.JsonFields;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A good answer whose content has not been read yet. */
public final class Answer {
    private final HttpURLConnection connection;
    private final InputStream content;

    Answer(HttpURLConnection connection, InputStream content) {
        this.connection = connection;
        this.content = content;
    }

    /** Its content; the reader closes it. It ends with an IOException when the service dies in the middle. */
    public InputStream content() {
        return content;
    }

    public Optional<String> header(String name) {
        return Optional.ofNullable(connection.getHeaderField(name));
    }

    /** The service's clock when it answered, in milliseconds since 1970; 0 when it did not say. */
    long date() {
        return connection.getDate();
    }

    /** The whole content as a JSON object. */
    JsonFields json() throws IOException {
        try (InputStream in = content) {
            return object(new String(in.readAllBytes(), StandardCharsets.UTF_8), connection);
        }
    }

    private static JsonFields object(String text, HttpURLConnection connection) {
        try {
            if (Json.parse(text) instanceof JsonFields fields) {
                return fields;
            }
        } catch (JsonException noJson) {
            // Told below, as for JSON of another kind.
        }
        throw Failure.notReached("what answers at " + connection.getURL() + " is no Muster service: "
                + (text.isBlank() ? "an empty answer" : Excerpt.of(text)));
    }
}
