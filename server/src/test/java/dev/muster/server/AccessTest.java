package dev.muster.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.ProblemDocument;
import dev.muster.api.ProblemType;
import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets in, and how the service speaks of errors. */
class AccessTest {
    private static final OpenApi OPEN_API = new OpenApi();

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

    @ParameterizedTest
    @ValueSource(
            strings = {"/v1/jobs", "/v1/service", "/v1/metrics", "/openapi.yaml", "/v1/nothing", "/", "/v1/jobs/x/logs"
            })
    void everyRouteNeedsTheToken(String path) {
        HttpResponse<String> answer = served.send(HttpRequest.newBuilder(URI.create(served.service.address() + path)));
        assertProblem(answer, ProblemType.UNAUTHORIZED);
        assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
    }

    @Test
    void aWrongTokenIsRefused() {
        String token = served.token;
        for (String wrong : new String[] {
            "Bearer",
            "Bearer ",
            "Bearer x",
            "Bearer " + token.substring(1),
            "Bearer " + token + "0",
            "Basic " + token,
            token
        }) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(served.service.address() + "/v1/health"))
                    .header("Authorization", wrong);
            assertProblem(served.send(request), ProblemType.UNAUTHORIZED);
        }
        assertThat(served.get("/v1/health").statusCode()).isEqualTo(204);
    }

    /** As a load balancer or a kubelet does, which knows an address and no more. */
    @ParameterizedTest
    @ValueSource(strings = {"/v1/health", "/v1/ready"})
    void whoeverReachesItMayAskHowItIs(String path) throws IOException {
        assertThat(raw("GET " + path + " HTTP/1.1\r\nHost: 10.1.2.3:8470\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 204");
        assertThat(raw("POST " + path + " HTTP/1.1\r\nHost: 10.1.2.3:8470\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 403");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/jobs", "/v1/health", "/openapi.yaml", "/v1/jobs/none", "/v1/nothing"})
    void headIsAnsweredAsGetWithoutABody(String path) throws IOException {
        String rest = " HTTP/1.1\r\nHost: 127.0.0.1:" + port() + "\r\nAuthorization: Bearer " + served.token
                + "\r\nConnection: ";
        String head = raw("HEAD " + path + rest + "keep-alive\r\n\r\nGET /v1/health" + rest + "close\r\n\r\n");
        String get = raw("GET " + path + rest + "close\r\n\r\n");
        assertThat(head.lines().findFirst()).isEqualTo(get.lines().findFirst());
        assertThat(head.substring(head.indexOf("\r\n\r\n") + 4))
                .as("the answer to the next request on the connection")
                .startsWith("HTTP/1.1 204");
    }

    @ParameterizedTest
    @CsvSource({"evil.example", "evil.example:PORT", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.example:PORT"})
    void aForeignHostIsRefusedEvenWithTheToken(String host) throws IOException {
        String answer = raw("GET /v1/service HTTP/1.1\r\nHost: " + host.replace("PORT", port())
                + "\r\nAuthorization: Bearer " + served.token + "\r\nConnection: close\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 403").contains("urn:muster:forbidden");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:PORT"})
    void aForeignOriginIsRefusedEvenWithTheToken(String origin) {
        HttpRequest.Builder request = served.request("/v1/health").header("Origin", origin.replace("PORT", port()));
        assertProblem(served.send(request), ProblemType.FORBIDDEN);
    }

    @Test
    void itsOwnOriginIsLetThrough() {
        HttpRequest.Builder request = served.request("/v1/health").header("Origin", served.service.address());
        assertThat(served.send(request).statusCode()).isEqualTo(204);
    }

    @Test
    void whatIsNotThereIsNotFoundAndAWrongMethodIsTold() {
        assertProblem(served.get("/v1/nothing"), ProblemType.NOT_FOUND);
        assertProblem(served.get("/v2/jobs"), ProblemType.NOT_FOUND);
        HttpResponse<String> answer = served.send(served.request("/v1/jobs").DELETE());
        assertProblem(answer, ProblemType.METHOD);
        assertThat(answer.headers().firstValue("Allow")).contains("GET, POST");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{",
                "{\"text\":1,\"folder\":\"/\"}",
                "{\"text\":\"\",\"folder\":\"/\",\"paht\":\"\"}",
                "{\"text\":\"x\"}",
                "{\"text\":\"x\",\"folder\":\"/\",\"sets\":\"a=b\"}"
            })
    void aBodyThatIsNoRequestIsRefused(String body) {
        assertProblem(served.post("/v1/jobs", body), ProblemType.INVALID);
    }

    @Test
    void aBodyThatIsNotUtf8IsRefused() {
        byte[] body =
                Served.jobRequest(Served.shell("bytes", "echo ?")).toString().getBytes(StandardCharsets.UTF_8);
        body[new String(body, StandardCharsets.UTF_8).indexOf('?')] = (byte) 0x80;
        HttpResponse<String> answer = served.send(served.request("/v1/jobs").POST(BodyPublishers.ofByteArray(body)));
        assertProblem(answer, ProblemType.INVALID);
        assertThat(answer.body()).contains("UTF-8");
    }

    @Test
    void aBodyThatIsTooLargeIsRefused() {
        assertProblem(served.post("/v1/jobs", " ".repeat((8 << 20) + 1)), ProblemType.TOO_LARGE);
        assertProblem(served.post("/v1/jobs", "[".repeat(8 << 20)), ProblemType.INVALID);
    }

    @Test
    void whatIsNoHttpIsAnsweredWithoutAWordAboutInsides() throws IOException {
        for (String request : new String[] {
            "nonsense\r\n\r\n", "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", "GET / HTTP/9.9\r\nHost: x\r\n\r\n"
        }) {
            String answer = raw(request);
            assertThat(answer)
                    .doesNotContain("Exception")
                    .doesNotContain("helidon")
                    .doesNotContain("\tat ");
            assertThat(answer).startsWith("HTTP/1.");
        }
        assertThat(served.get("/v1/health").statusCode()).isEqualTo(204);
    }

    static void assertProblem(HttpResponse<String> answer, ProblemType type) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(type.status());
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
        JsonFields body = (JsonFields) Json.parse(answer.body());
        assertThat(OPEN_API.problems("ProblemDocument", body)).isEmpty();
        assertThat(ProblemDocument.of(body).type()).isEqualTo(type.urn());
        assertThat(answer.body()).doesNotContain("Exception").doesNotContain("\\tat ");
    }

    private static String port() {
        return Integer.toString(URI.create(served.service.address()).getPort());
    }

    private static String raw(String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", Integer.parseInt(port()))) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();
            InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
