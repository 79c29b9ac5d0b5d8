package dev.muster.server.http;

import dev.muster.api.Document;
import dev.muster.server.access.Caller;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One request and its answer; used by one thread. Exactly one of the answering methods is called, once. */
public interface Exchange {
    /** The method of the request. To HEAD no body is sent, whatever a handler sends. */
    String method();

    /** The decoded path, starting with a slash. */
    String path();

    /** The first value of a query parameter. */
    Optional<String> query(String name);

    /** The names of all query parameters, each once. */
    Set<String> queryNames();

    /** The first value of a header. */
    Optional<String> header(String name);

    /** The body, unbounded; see {@link Bodies}. Reading it throws {@link BrokenBodyException} and nothing else. */
    InputStream body();

    /** Answers with a JSON document. */
    default void send(int status, Document document) {
        send(status, "application/json", document.toJson().toString(), Map.of());
    }

    /** Answers with a text in UTF-8. */
    void send(int status, String contentType, String text, Map<String, String> headers);

    /** Answers without a body. */
    void send(int status, Map<String, String> headers);

    /** {@link #stream(int, String, Map)} with status 200. */
    default OutputStream stream(String contentType, Map<String, String> headers) {
        return stream(200, contentType, headers);
    }

    /**
     * Answers with a stream, of unknown length unless a header tells it. A write blocks while the client does not read; what is written is sent by
     * {@link OutputStream#flush} at the latest. Closing it ends the answer well: a stream that failed is not closed, so that the client
     * sees that it was cut.
     */
    OutputStream stream(int status, String contentType, Map<String, String> headers);

    /** What is known of this request. */
    RequestNote note();

    /** Who sent it; only routes that somebody was let in to may ask. */
    default Caller caller() {
        return note().caller().orElseThrow(() -> new IllegalStateException("nobody was let in"));
    }

    /** Whether an answering method was called. */
    boolean isAnswered();
}
