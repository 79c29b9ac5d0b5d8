package dev.muster.backend.kubernetes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Answers as an API server does that a service has no rights at, or that lacks something. */
final class SmallApiServer implements AutoCloseable {
    private final HttpServer server;

    SmallApiServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        on("/version", 200, "{\"major\":\"1\",\"minor\":\"33\"}");
        server.start();
    }

    /** What is below that path is answered so. */
    void on(String path, int status, String body) {
        server.createContext(path, exchange -> answer(exchange, status, body));
    }

    /** What is answered. */
    record Answer(int status, String body) {}

    /** What is below that path is answered by what is asked. */
    void on(String path, Function<HttpExchange, Answer> asked) {
        server.createContext(path, exchange -> {
            Answer answer = asked.apply(exchange);
            answer(exchange, answer.status(), answer.body());
        });
    }

    /** As a failed request is answered. */
    void refuse(String path, int status, String message) {
        on(
                path,
                status,
                "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"code\":" + status
                        + ",\"message\":\"" + message.replace("\"", "\\\"") + "\"}");
    }

    /** A path whose first requests find nobody behind the server, and later ones that there is no such thing. */
    void awayAtFirst(String path, int requests) {
        AtomicInteger asked = new AtomicInteger();
        server.createContext(
                path,
                exchange -> answer(exchange, asked.incrementAndGet() <= requests ? 503 : 404, "{\"kind\":\"Status\"}"));
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    Path kubeconfig(Path folder) throws IOException {
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

    @Override
    public void close() {
        server.stop(0);
    }
}
