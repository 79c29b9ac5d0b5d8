package dev.muster.cli.client;

import dev.muster.api.Document;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;

/**
 * One request to the service.
 *
 * @param path       below {@code /v1}, with its query
 * @param accept     media type of the answer
 * @param body       what is sent
 * @param repeatable whether it may be sent again when it is not known if it arrived
 * @param silence    longest time without a byte of the answer; zero for no bound
 * @param doubt      for one that changes something: what a person does who does not know whether it was carried out
 */
public record Request(
        String method,
        String path,
        String accept,
        Optional<Body> body,
        boolean repeatable,
        Duration silence,
        Optional<String> doubt) {
    private static final Optional<String> LOOK = Optional.of("look before trying again");

    /** For what is only read or noted down. */
    private static final Duration USUAL = Duration.ofSeconds(20);
    /** For a job text that is checked, stored and prepared for. */
    private static final Duration LONG = Duration.ofSeconds(60);

    static final String JSON = "application/json";

    /** What a request carries. */
    public interface Body {
        String mediaType();

        /** Exactly how many bytes {@link #writeTo} writes. */
        long length();

        void writeTo(OutputStream out) throws IOException;
    }

    /** A body cannot be made; the message says why, for the person. */
    public static final class UnreadableBodyException extends IOException {
        private static final long serialVersionUID = 1L;

        public UnreadableBodyException(String message) {
            super(message);
        }
    }

    public static Request get(String path) {
        return new Request("GET", path, JSON, Optional.empty(), true, USUAL, Optional.empty());
    }

    /** A stream of lines, followed as long as it lasts. */
    public static Request stream(String path, String accept, Duration silence) {
        return new Request("GET", path, accept, Optional.empty(), true, silence, Optional.empty());
    }

    public static Request post(String path, Document body) {
        return new Request("POST", path, JSON, Optional.of(new JsonBody(body)), false, LONG, LOOK);
    }

    /** A request that says all by its path. */
    public static Request post(String path) {
        return new Request("POST", path, JSON, Optional.empty(), false, USUAL, LOOK);
    }

    public static Request put(String path, Body body) {
        return new Request("PUT", path, JSON, Optional.of(body), true, USUAL, Optional.empty());
    }

    public static Request delete(String path) {
        return new Request("DELETE", path, JSON, Optional.empty(), false, USUAL, LOOK);
    }

    /** The same, and it may be sent twice, as it changes nothing. */
    public Request again() {
        return new Request(method, path, accept, body, true, silence, Optional.empty());
    }

    /** The same, and it may be sent twice, as the second finds what the first has changed. */
    public Request again(String inDoubt) {
        return new Request(method, path, accept, body, true, silence, Optional.of(inDoubt));
    }

    /** The same, and its answer may take as long as it takes. */
    public Request patient() {
        return within(Duration.ZERO);
    }

    /** The same with another bound on silence. */
    public Request within(Duration other) {
        return new Request(method, path, accept, body, repeatable, other, doubt);
    }
}
