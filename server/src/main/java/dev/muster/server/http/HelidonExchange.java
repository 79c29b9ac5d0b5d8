package dev.muster.server.http;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An exchange of Helidon's server. */
final class HelidonExchange implements Exchange {
    private static final int AT_ONCE = 16 << 10;

    private final ServerRequest request;
    private final ServerResponse response;
    private final Patience patience;
    private final AnswerStream.Reading reading;
    private final RequestNote note = new RequestNote();

    HelidonExchange(ServerRequest request, ServerResponse response, Patience patience, AnswerStream.Reading reading) {
        this.reading = reading;
        this.request = request;
        this.response = response;
        this.patience = patience;
    }

    @Override
    public String method() {
        return request.prologue().method().text();
    }

    private boolean isHead() {
        return request.prologue().method().equals(Method.HEAD);
    }

    @Override
    public String path() {
        return request.path().path();
    }

    @Override
    public Optional<String> query(String name) {
        return request.query().contains(name)
                ? Optional.of(
                        request.query().all(name).isEmpty()
                                ? ""
                                : request.query().get(name))
                : Optional.empty();
    }

    @Override
    public Set<String> queryNames() {
        return request.query().names();
    }

    @Override
    public Optional<String> header(String name) {
        HeaderName header = HeaderNames.create(name);
        // Helidon keeps Host apart from the other headers.
        return header.equals(HeaderNames.HOST)
                ? Optional.ofNullable(request.authority())
                : request.headers().first(header);
    }

    @Override
    public InputStream body() {
        return request.content().hasEntity()
                ? new RequestBody(request.content().inputStream(), patience)
                : InputStream.nullInputStream();
    }

    @Override
    public void send(int status, String contentType, String text, Map<String, String> headers) {
        begin(status, headers);
        response.header(HeaderNames.CONTENT_TYPE, contentType);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (isHead()) {
            response.header(HeaderNames.CONTENT_LENGTH, Integer.toString(bytes.length));
            response.send();
            return;
        }
        if (bytes.length <= AT_ONCE) {
            reading.begins();
            response.send(bytes);
            reading.ends();
            return;
        }
        response.header(HeaderNames.CONTENT_LENGTH, Integer.toString(bytes.length));
        try (OutputStream out = new AnswerStream(response.outputStream(), reading, patience)) {
            out.write(bytes);
        } catch (IOException cut) {
            throw new UncheckedIOException(cut);
        }
    }

    @Override
    public void send(int status, Map<String, String> headers) {
        begin(status, headers);
        response.send();
    }

    @Override
    public OutputStream stream(int status, String contentType, Map<String, String> headers) {
        begin(status, headers);
        response.header(HeaderNames.CONTENT_TYPE, contentType);
        if (isHead()) {
            response.send();
            throw new HeadAnsweredException();
        }
        return new AnswerStream(response.outputStream(), reading, patience);
    }

    @Override
    public RequestNote note() {
        return note;
    }

    @Override
    public boolean isAnswered() {
        return note.status() != 0;
    }

    private void begin(int status, Map<String, String> headers) {
        note.status(status);
        response.status(Status.create(status));
        response.header(HeaderNames.CACHE_CONTROL, "no-store");
        headers.forEach((name, value) -> response.header(HeaderNames.create(name), value));
    }
}
