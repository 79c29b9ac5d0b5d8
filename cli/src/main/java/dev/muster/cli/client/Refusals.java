package dev.muster.cli.client;

import dev.muster.api.ProblemDocument;
import dev.muster.api.ProblemType;
import dev.muster.cli.base.Failure;
import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonException;
import dev.muster.formats.json.JsonFields;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;

/** Reads the answers that are errors. */
final class Refusals {
    private static final int LONGEST = 1 << 20;

    private Refusals() {}

    /** The service is stopping, or not ready: it took nothing, and another one may follow. */
    static final class UnavailableException extends IOException {
        private static final long serialVersionUID = 1L;

        UnavailableException(String detail) {
            super(detail);
        }
    }

    /**
     * What the error means.
     *
     * @return always; it is returned so that a caller can throw it
     * @throws UnavailableException when the service says that it stops
     */
    static Failure read(HttpURLConnection connection, int status) throws IOException {
        String text = "";
        try (InputStream in = connection.getErrorStream()) {
            text = in == null ? "" : new String(in.readNBytes(LONGEST), StandardCharsets.UTF_8);
        }
        try {
            if (Json.parse(text) instanceof JsonFields fields) {
                ProblemDocument problem = ProblemDocument.of(fields);
                if (problem.type().equals(ProblemType.UNAVAILABLE.urn())) {
                    throw new UnavailableException(problem.detail());
                }
                return Failure.of(problem);
            }
        } catch (JsonException noProblem) {
            // Told below: it is not an answer of Muster's own.
        }
        return Failure.notReached("what answers at " + connection.getURL() + " is no Muster service: status " + status
                + (text.isBlank() ? "" : ", " + Excerpt.of(text)));
    }
}
