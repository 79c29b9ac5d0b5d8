package dev.muster.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.api.ProblemDocument;
import dev.muster.api.ProblemType;
import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonException;
import dev.muster.formats.json.JsonFields;
import dev.muster.server.log.ServiceLog;
import dev.muster.spi.JobStore.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client is told of failures inside: through a real listener. */
class ErrorAnswersTest {
    private final AtomicReference<Handler> inside = new AtomicReference<>();
    private final Listener listener = Listener.open(
            Listener.loopback(),
            Optional.empty(),
            new ErrorAnswers((exchange, variables) -> inside.get().handle(exchange, variables)));
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        client.close();
        listener.close();
    }

    @Test
    void aFaultIsNumberedAndItsWordsAreNotShown() throws Exception {
        inside.set((exchange, variables) -> {
            throw new IllegalStateException("password hunter2");
        });
        HttpResponse<String> first = get("GET");
        assertThat(problem(first).type()).isEqualTo(ProblemType.INTERNAL.urn());
        assertThat(first.body()).contains("fault 1").doesNotContain("hunter2", "IllegalState", "at dev.muster");
        assertThat(get("GET").body()).contains("fault 2");
        inside.set((exchange, variables) -> {
            throw new IOException("/secret/path");
        });
        assertThat(get("GET").body()).contains("fault 3").doesNotContain("/secret/path");
    }

    @Test
    void aFullDiskIsToldAsSuch() throws Exception {
        inside.set((exchange, variables) -> {
            throw new StoreException("database or disk is full", StoreException.Kind.DISK_FULL, null);
        });
        HttpResponse<String> answer = get("GET");
        assertThat(answer.statusCode()).isEqualTo(507);
        assertThat(problem(answer).detail()).contains("Nothing was stored").contains("Make room");
        inside.set((exchange, variables) -> {
            throw new StoreException("locked", StoreException.Kind.OTHER, null);
        });
        assertThat(get("GET").statusCode()).isEqualTo(500);
    }

    @Test
    void whatIsDamagedIsToldWithWhatCanBeDone() throws Exception {
        inside.set((exchange, variables) -> {
            throw new StoreException("the record is odd; remove it", StoreException.Kind.UNREADABLE, null);
        });
        HttpResponse<String> row = get("GET");
        assertThat(row.statusCode()).isEqualTo(409);
        assertThat(problem(row).detail()).isEqualTo("The record is odd; remove it.");
        inside.set((exchange, variables) -> {
            throw new StoreException("the database is damaged; put a copy back", StoreException.Kind.DAMAGED, null);
        });
        assertThat(problem(get("GET")).detail()).isEqualTo("The database is damaged; put a copy back.");
    }

    @Test
    void aDatabaseThatIsAwayIsNoFaultOfTheService() throws Exception {
        inside.set((exchange, variables) -> {
            throw new StoreException("the database is not reached", StoreException.Kind.UNREACHABLE, null);
        });
        HttpResponse<String> away = get("GET");
        assertThat(away.statusCode()).isEqualTo(503);
        assertThat(problem(away).detail()).isEqualTo("The database is not reached.");
    }

    @Test
    void aWrongFieldIsNamed() throws Exception {
        inside.set((exchange, variables) -> {
            throw new JsonException("count", "count must be a whole number");
        });
        assertThat(problem(get("GET")).problems())
                .singleElement()
                .satisfies(each -> assertThat(each.field()).isEqualTo("count"));
    }

    @Test
    void anAnswerToHeadHasNoBody() throws Exception {
        inside.set((exchange, variables) -> {
            throw new ProblemException(ProblemType.NOT_FOUND, "nothing here");
        });
        assertThat(get("HEAD").statusCode()).isEqualTo(404);
        assertThat(get("HEAD").body()).isEmpty();
    }

    @Test
    void aBodyThatBreaksOffIsTheClientsFaultAndNotLoggedAsOneOfOurs(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("service.log");
        AtomicInteger read = new AtomicInteger();
        inside.set((exchange, variables) -> {
            try (InputStream body = exchange.body()) {
                body.readAllBytes();
            } finally {
                read.incrementAndGet();
            }
        });
        try (ServiceLog log = ServiceLog.install(file)) {
            assertThat(log).isNotNull();
            breakOff("PUT /v1/code HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nabc", read, 1);
            breakOff("PUT /v1/code HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", read, 2);
            String answer = breakOff(
                    "POST /v1/jobs HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n", read, 3);
            assertThat(answer).startsWith("HTTP/1.1 400").contains("broke off");
            listener.close();
        }
        assertThat(Files.readString(file)).isEmpty();
    }

    /** Sends it, says that nothing follows, and gives what is answered once the handler is through. */
    private String breakOff(String request, AtomicInteger read, int times) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(read).hasValue(times);
            return answer;
        }
    }

    @Test
    void anAnswerThatFailsHalfWayIsCut() {
        inside.set((exchange, variables) -> {
            OutputStream out = exchange.stream("text/plain", Map.of());
            out.write("half".getBytes());
            out.flush();
            throw new IOException("the rest cannot be read");
        });
        assertThatThrownBy(() -> get("GET")).isInstanceOf(IOException.class);
        inside.set((exchange, variables) -> {
            exchange.stream("text/plain", Map.of()).flush();
            throw new StoreException("the record is odd", StoreException.Kind.UNREADABLE, null);
        });
        assertThatThrownBy(() -> get("GET")).isInstanceOf(IOException.class);
        inside.set((exchange, variables) -> exchange.send(204, Map.of()));
        assertThatIsAnswered();
    }

    private void assertThatIsAnswered() {
        try {
            assertThat(get("GET").statusCode()).isEqualTo(204);
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private HttpResponse<String> get(String method) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + listener.port() + "/"))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    private static ProblemDocument problem(HttpResponse<String> answer) {
        return ProblemDocument.of((JsonFields) Json.parse(answer.body()));
    }
}
