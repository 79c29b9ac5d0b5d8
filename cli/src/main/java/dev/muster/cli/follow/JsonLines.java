package dev.muster.cli.follow;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonException;
import dev.muster.formats.json.JsonFields;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Reads lines of JSON objects. */
public final class JsonLines {
    private JsonLines() {}

    /**
     * Gives every whole line.
     *
     * @throws IOException when the stream breaks; a line that was cut by that is not given
     */
    public static void read(InputStream in, Consumer<JsonFields> objects) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (!line.isBlank()) {
                objects.accept(object(line));
            }
        }
    }

    private static JsonFields object(String line) throws IOException {
        try {
            if (Json.parse(line) instanceof JsonFields fields) {
                return fields;
            }
        } catch (JsonException damaged) {
            // Told below: a service that dies may leave half a line.
        }
        throw new IOException("a line of the stream is damaged");
    }
}
