package dev.muster.backend.docker;

import dev.muster.backend.docker.Http.Answer;
import dev.muster.backend.docker.Http.Request;
import dev.muster.formats.streams.Incoming;
import dev.muster.model.Cause;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import dev.muster.spi.NotKeptException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Calls of the Docker Engine API. A dockerd that does not answer is {@link Kind#NO_CONTACT}; what it answers besides success is a
 * {@link Refusal}. Any thread may call.
 */
final class DockerApi {
    static final Duration QUICK = Duration.ofSeconds(5);
    static final Duration SLOW = Duration.ofSeconds(60);
    static final Duration ENDLESS = Duration.ZERO;

    /** The newest version this is written for; an older dockerd is spoken to in its own. */
    private static final String NEWEST = "1.47";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final DockerAddress address;
    private final Http http;
    private volatile String version = "";

    DockerApi(DockerAddress address) {
        this.address = address;
        this.http = new Http(address);
    }

    /** An answer of dockerd that is no success. */
    static final class Refusal extends Exception {
        private static final long serialVersionUID = 1L;
        private final int status;

        Refusal(int status, String message) {
            super(message);
            this.status = status;
        }

        int status() {
            return status;
        }

        boolean isMissing() {
            return status == 404;
        }

        boolean isConflict() {
            return status == 409;
        }

        /** In the words of the port: what was tried, and what dockerd said. */
        BackendException as(Kind kind, Cause cause, String tried) {
            if (getMessage().contains("no space left on device")) {
                return new BackendException(
                        Kind.FAILED,
                        Cause.DISK_FULL,
                        tried + ": no space left on device where dockerd keeps its data; make room and try again",
                        this);
            }
            return new BackendException(kind, cause, tried + ": " + getMessage(), this);
        }
    }

    /** What is done with an answer. */
    interface Reader<T> {
        T read(InputStream body) throws IOException, Refusal;
    }

    DockerAddress address() {
        return address;
    }

    JsonNode get(String path) throws BackendException, Refusal {
        return call(new Request("GET", path, "", 0, out -> {}, QUICK), DockerApi::json);
    }

    /** What is there, empty where nothing is. */
    Optional<JsonNode> find(String path) throws BackendException, Refusal {
        try {
            return Optional.of(get(path));
        } catch (Refusal refusal) {
            if (refusal.isMissing()) {
                return Optional.empty();
            }
            throw refusal;
        }
    }

    JsonNode post(String path, JsonNode body) throws BackendException, Refusal {
        return post(path, body, QUICK, DockerApi::json);
    }

    <T> T post(String path, JsonNode body, Duration within, Reader<T> reader) throws BackendException, Refusal {
        byte[] bytes = body == null ? new byte[0] : JSON.writeValueAsBytes(body);
        String type = body == null ? "" : "application/json";
        return call(new Request("POST", path, type, bytes.length, out -> out.write(bytes), within), reader);
    }

    void delete(String path) throws BackendException, Refusal {
        call(new Request("DELETE", path, "", 0, out -> {}, SLOW), DockerApi::json);
    }

    <T> T stream(String path, Duration within, Reader<T> reader) throws BackendException, Refusal {
        return call(new Request("GET", path, "", 0, out -> {}, within), reader);
    }

    /** Whether such a path is there; for what has no body. */
    boolean head(String path) throws BackendException, Refusal {
        try {
            call(new Request("HEAD", path, "", 0, out -> {}, QUICK), body -> true);
            return true;
        } catch (Refusal refusal) {
            if (refusal.isMissing()) {
                return false;
            }
            throw refusal;
        }
    }

    /** Sends a tar archive. */
    void put(String path, Http.Body archive) throws BackendException, Refusal {
        call(new Request("PUT", path, "application/x-tar", -1, archive, ENDLESS), DockerApi::json);
    }

    private <T> T call(Request request, Reader<T> reader) throws BackendException, Refusal {
        try {
            Request versioned = new Request(
                    request.method(),
                    "/v" + version() + request.path(),
                    request.type(),
                    request.length(),
                    request.body(),
                    request.within());
            try (Answer answer = http.send(versioned)) {
                if (answer.status() >= 300 && answer.status() != 304) {
                    throw new Refusal(answer.status(), message(answer));
                }
                return read(reader, new Incoming(answer.body()));
            }
        } catch (IOException unreached) {
            throw noContact(unreached);
        }
    }

    private static <T> T read(Reader<T> reader, Incoming body) throws IOException, BackendException, Refusal {
        try {
            return reader.read(body);
        } catch (IOException problem) {
            if (body.couldNotBeKept(problem)) {
                throw new NotKeptException("what dockerd sent", problem);
            }
            throw problem;
        }
    }

    BackendException noContact(IOException unreached) {
        String seen = unreached.getMessage() == null
                ? "it did not answer in time"
                : unreached.getMessage().strip();
        return new BackendException(
                Kind.NO_CONTACT, Cause.INTERNAL, "dockerd at " + address + " cannot be reached: " + seen, unreached);
    }

    private String version() throws IOException {
        if (version.isEmpty()) {
            try (Answer answer = http.send(new Request("GET", "/_ping", "", 0, out -> {}, QUICK))) {
                String theirs = answer.header("api-version");
                if (answer.status() != 200 || theirs.isEmpty()) {
                    throw new IOException("what answers is no dockerd (no Api-Version)");
                }
                version = minor(theirs) < minor(NEWEST) ? theirs : NEWEST;
            }
        }
        return version;
    }

    private static int minor(String version) {
        return Integer.parseInt(version.substring(version.indexOf('.') + 1));
    }

    private static JsonNode json(InputStream body) throws IOException {
        byte[] bytes = body.readAllBytes();
        return bytes.length == 0 ? JSON.createObjectNode() : JSON.readTree(bytes);
    }

    /** One JSON document a line. */
    static JsonNode parse(String line) {
        return JSON.readTree(line);
    }

    private static String message(Answer answer) throws IOException {
        byte[] bytes = answer.body().readNBytes(64 << 10);
        String text = new String(bytes, StandardCharsets.UTF_8).strip();
        if (answer.header("content-type").contains("json") && text.startsWith("{")) {
            return JSON.readTree(text).path("message").asString(text);
        }
        return text.isEmpty() ? "dockerd answered " + answer.status() : text;
    }

    static tools.jackson.databind.node.ObjectNode object() {
        return JSON.createObjectNode();
    }

    /** A query of these parameters. */
    static String query(Map<String, String> parameters) {
        StringBuilder query = new StringBuilder();
        parameters.forEach((name, value) -> query.append(query.isEmpty() ? '?' : '&')
                .append(name)
                .append('=')
                .append(encode(value)));
        return query.toString();
    }

    /** Objects that have all these labels. */
    static String filter(String... labels) {
        tools.jackson.databind.node.ObjectNode filters = object();
        for (String label : labels) {
            filters.withArray("label").add(label);
        }
        return "filters=" + encode(filters.toString());
    }

    static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
