package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.muster.spi.BackendException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against an API server that answers, and does not let the service see its pods. */
class PodWatchTest {
    private static final String FORBIDDEN = """
            {"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,
             "message":"pods is forbidden: User \\"few-rights\\" cannot list resource \\"pods\\" in the namespace \\"default\\""}
            """;

    @TempDir
    private Path folder;

    private HttpServer server;

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/version", exchange -> answer(exchange, 200, "{\"major\":\"1\",\"minor\":\"33\"}"));
        server.createContext("/api/v1/", exchange -> answer(exchange, 403, FORBIDDEN));
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private Path kubeconfig() throws IOException {
        return Files.writeString(
                folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters:
                - name: it
                  cluster: {server: "http://127.0.0.1:%d"}
                users:
                - name: it
                  user: {token: few-rights}
                contexts:
                - name: it
                  context: {cluster: it, user: it}
                current-context: it
                """.formatted(server.getAddress().getPort()));
    }

    @Test
    void whatIsForbiddenIsToldInTheServersWordsWithWhereTheRightsAre() throws IOException {
        KubernetesConfig config = TestCluster.config(
                kubeconfig(), SamplePods.config().folders(), SamplePods.config().code(), "house");
        try (Cluster cluster = new Cluster(config);
                PodWatch watch = new PodWatch(cluster, pod -> {})) {
            assertThatExceptionOfType(BackendException.class)
                    .isThrownBy(watch::requireContact)
                    .matches(lost -> lost.kind() == BackendException.Kind.NO_CONTACT)
                    .withMessage(
                            "pods were listed: pods is forbidden: User \"few-rights\" cannot list resource \"pods\" in the"
                                    + " namespace \"default\" (deploy/kubernetes/rbac.yaml holds what Muster needs)");
        }
    }
}
