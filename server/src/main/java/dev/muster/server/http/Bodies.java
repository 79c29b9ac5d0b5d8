package dev.muster.server.http;

import dev.muster.api.ProblemType;
import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonException;
import dev.muster.formats.json.JsonFields;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;

/** Reads request bodies, bounded. */
public final class Bodies {
    /** Bytes of a JSON body, at most. */
    public static final int MAX_JSON = 8 << 20;

    private Bodies() {}

    /**
     * Reads the body as a record.
     *
     * @throws ProblemException when it is too large, no JSON object, or not what the reader expects
     */
    public static <T> T read(Exchange exchange, Function<JsonFields, T> reader) throws IOException {
        return decode(bytes(exchange), reader);
    }

    /** The same where an empty body stands for an empty object. */
    public static <T> T readOptional(Exchange exchange, Function<JsonFields, T> reader) throws IOException {
        byte[] bytes = bytes(exchange);
        return bytes.length == 0 ? reader.apply(new JsonFields(Map.of())) : decode(bytes, reader);
    }

    private static byte[] bytes(Exchange exchange) throws IOException {
        try (InputStream body = exchange.body()) {
            byte[] bytes = body.readNBytes(MAX_JSON + 1);
            if (bytes.length > MAX_JSON) {
                throw new ProblemException(
                        ProblemType.TOO_LARGE, "A request body of more than " + (MAX_JSON >> 20) + " MiB is refused.");
            }
            return bytes;
        }
    }

    private static <T> T decode(byte[] bytes, Function<JsonFields, T> reader) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            if (Json.parse(text) instanceof JsonFields fields) {
                return reader.apply(fields);
            }
            throw ProblemException.invalid("", "The body must be a JSON object.");
        } catch (CharacterCodingException notUtf8) {
            throw ProblemException.invalid("", "The body must be JSON in UTF-8.");
        } catch (JsonException wrong) {
            throw ProblemException.invalid(wrong);
        }
    }
}
