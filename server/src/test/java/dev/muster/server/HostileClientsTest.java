package dev.muster.server;

import static dev.muster.server.AccessTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.ProblemType;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that mean no good, or are broken: none of them holds up others or gets anything out of its place. */
class HostileClientsTest {
    @TempDir
    private static Path folder;

    private static Served served;

    @BeforeAll
    static void start() {
        served = new Served(folder.resolve("home"));
    }

    @AfterAll
    static void stop() {
        served.close();
    }

    @Test
    void clientsThatSendAByteNowAndThenHoldUpNobody() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int client = 0; client < 50; client++) {
                Socket head = connect();
                send(head, "GET /v1/health HTTP/1.1\r\nHost: " + host() + "\r\nX: ");
                slow.add(head);
                Socket body = connect();
                send(body, head("POST", "/v1/jobs") + "Content-Length: 1000\r\n\r\n{");
                slow.add(body);
            }
            for (int round = 0; round < 5; round++) {
                for (Socket client : slow) {
                    send(client, " ");
                }
                long begun = System.nanoTime();
                assertThat(served.get("/v1/jobs").statusCode()).isEqualTo(200);
                assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
            }
            String job = served.submit(Served.shell("meanwhile", "true"));
            served.await(job, "Succeeded");
        } finally {
            for (Socket client : slow) {
                client.close();
            }
        }
    }

    @Test
    void aConnectionIsClosedWhereTheClientAsksForIt() throws Exception {
        try (Socket client = connect()) {
            client.setSoTimeout(20_000);
            send(client, "GET /v1/service HTTP/1.1\r\nHost: " + host() + "\r\nConnection: close\r\n\r\n");
            String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(answer).startsWith("HTTP/1.1 401").contains("Connection: close");
        }
    }

    @Test
    void manyConnectionsWithoutARequestLeaveRoomForOthers() throws Exception {
        List<Socket> open = new ArrayList<>();
        try {
            for (int client = 0; client < 500; client++) {
                open.add(connect());
            }
            assertThat(served.get("/v1/health").statusCode()).isEqualTo(204);
        } finally {
            for (Socket client : open) {
                client.close();
            }
        }
    }

    @Test
    void aHeadThatIsTooLargeIsRefused() throws Exception {
        for (String head : List.of(
                "GET /v1/health HTTP/1.1\r\nHost: " + host() + "\r\nX: " + "x".repeat(1 << 20) + "\r\n\r\n",
                "GET /" + "x".repeat(1 << 20) + " HTTP/1.1\r\nHost: " + host() + "\r\n\r\n",
                "GET /v1/health HTTP/1.1\r\nHost: " + host() + "\r\n" + "X: y\r\n".repeat(100_000) + "\r\n")) {
            assertThat(answer(head))
                    .satisfiesAnyOf(
                            cut -> assertThat(cut).isEmpty(),
                            refused -> assertThat(refused).startsWith("HTTP/1.1 4"));
            assertThat(served.get("/v1/health").statusCode()).isEqualTo(204);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /v1/service HTTP/1.1\r\n\r\n",
                "GET /v1/service HTTP/1.1\r\nHost: HOST\r\nHost: evil.example\r\nAuthorization: Bearer TOKEN\r\n\r\n",
                "GET http://evil.example/v1/service HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer TOKEN\r\n\r\n",
                "POST /v1/jobs HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST /v1/jobs HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\nContent-Length: -5\r\n\r\n",
                "POST /v1/jobs HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
                "GET /v1/../../etc/passwd HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\n\r\n",
                "GET /v1/jobs/%2e%2e%2f%2e%2e%2fetc%2fpasswd HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\n\r\n",
                "GET /v1/jobs/a%00b HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\n\r\n",
                "GET /v1/models/..%2f..%2ftoken/versions/1/files HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\n\r\n",
                "GET /v1/models/../versions/latest/files HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\n\r\n"
            })
    void oddRequestsAreRefusedAndNothingElse(String request) throws Exception {
        String answer = answer(request.replace("HOST", host()).replace("TOKEN", served.token));
        assertThat(answer)
                .satisfiesAnyOf(
                        cut -> assertThat(cut).isEmpty(),
                        refused -> assertThat(refused).matches("(?s)HTTP/1.1 4.*"));
        assertThat(answer).doesNotContain(served.token, "root:", "Exception", "\tat ");
        assertThat(served.get("/v1/health").statusCode()).isEqualTo(204);
    }

    @ParameterizedTest
    @ValueSource(strings = {"../outside", "/tmp/outside", "a/../../outside", "..", "a/./../../x", ".."})
    void anArchiveThatReachesOutOfItsFolderIsRefused(String name) throws Exception {
        HttpResponse<String> answer = served.put("/v1/code", Tars.of(Map.of(name, "x")));
        assertProblem(answer, ProblemType.INVALID);
        try (Stream<Path> all = Files.walk(folder)) {
            assertThat(all.filter(path -> path.getFileName().toString().contains("outside")))
                    .isEmpty();
        }
    }

    @Test
    void anArchiveWithALinkOutOfItsFolderIsRefused() {
        for (String target : List.of("/etc/passwd", "../../../../etc/passwd")) {
            assertProblem(served.put("/v1/code", Tars.link("passwd", target)), ProblemType.INVALID);
        }
    }

    @Test
    void anArchiveOfTooManyEntriesOrBytesIsTooLarge() {
        HttpResponse<String> huge = served.put("/v1/code", Tars.saying("big", 9L << 30));
        assertProblem(huge, ProblemType.TOO_LARGE);
        assertThat(huge.body()).contains(".musterignore");
    }

    @Test
    void aBodyWithoutEndIsCutAtItsBound() throws Exception {
        try (Socket client = connect()) {
            send(client, head("POST", "/v1/jobs") + "Transfer-Encoding: chunked\r\n\r\n");
            byte[] chunk = ("100000\r\n" + " ".repeat(1 << 20) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            OutputStream out = client.getOutputStream();
            try {
                for (int sent = 0; sent < 64; sent++) {
                    out.write(chunk);
                }
            } catch (SocketException cut) {
                // It does not listen any longer.
            }
            client.setSoTimeout(10_000);
            String answer = "";
            try {
                answer = new String(client.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
            } catch (SocketException cut) {
                // It has closed without being heard.
            }
            assertThat(answer).isIn("", "HTTP/1.1 413");
        }
        assertThat(served.get("/v1/health").statusCode()).isEqualTo(204);
    }

    private static String head(String method, String path) {
        return method + " " + path + " HTTP/1.1\r\nHost: " + host() + "\r\nAuthorization: Bearer " + served.token
                + "\r\n";
    }

    private static String host() {
        return URI.create(served.service.address()).getAuthority();
    }

    private static Socket connect() throws IOException {
        return new Socket("127.0.0.1", URI.create(served.service.address()).getPort());
    }

    private static void send(Socket client, String text) throws IOException {
        client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        client.getOutputStream().flush();
    }

    private static String answer(String request) throws IOException {
        try (Socket client = connect()) {
            client.setSoTimeout(10_000);
            try {
                send(client, request);
                client.shutdownOutput();
                return new String(client.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            } catch (SocketException cut) {
                return "";
            }
        }
    }
}
