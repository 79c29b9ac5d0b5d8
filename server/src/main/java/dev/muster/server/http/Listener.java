package dev.muster.server.http;

import dev.muster.api.ProblemDocument;
import dev.muster.api.ProblemType;
import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http.HttpRouting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** Listens for requests and has each answered on a virtual thread of its own. */
public final class Listener implements AutoCloseable {
    private static final int MAX_CONNECTIONS = 1024;
    private static final Duration GRACE = Duration.ofMillis(300);

    private final WebServer server;
    private final Connections connections;

    private Listener(WebServer server, Connections connections) {
        this.server = server;
        this.connections = connections;
    }

    /**
     * Starts to listen.
     *
     * @param address where; port 0 takes a free one
     * @param tls     what it presents to clients; empty for plain HTTP
     */
    public static Listener open(InetSocketAddress address, Optional<SSLContext> tls, Handler handler) {
        return open(address, tls, handler, Patience.USUAL);
    }

    static Listener open(InetSocketAddress address, Optional<SSLContext> tls, Handler handler, Patience patience) {
        Connections connections = new Connections(patience);
        HttpRouting.Builder routing = HttpRouting.builder().any((request, response) -> {
            SocketAddress client = request.remotePeer().address();
            connections.answering(client);
            try {
                handler.handle(
                        new HelidonExchange(request, response, patience, connections.reading(client)),
                        new PathVariables(Map.of()));
            } catch (IOException | UncheckedIOException cut) {
                // The client is gone, or what it is sent cannot go on: it sees that the answer was cut.
                throw new CloseConnectionException("the answer was cut", cut);
            } finally {
                connections.answered(client);
            }
            if (request.headers().contains(HeaderValues.CONNECTION_CLOSE)) {
                // Helidon says so in its answer and waits for another request all the same.
                throw new CloseConnectionException("the client has no more requests");
            }
        });
        WebServerConfig.Builder server = WebServer.builder()
                .address(address.getAddress())
                .port(address.getPort())
                .shutdownHook(false)
                .featuresDiscoverServices(false)
                .maxTcpConnections(MAX_CONNECTIONS)
                .shutdownGracePeriod(GRACE)
                .directHandlers(directHandlers())
                .connectionOptions(connections)
                .idleConnectionTimeout(patience.idle())
                .routing(routing);
        tls.ifPresent(context -> server.tls(tlsConfig -> tlsConfig.sslContext(context)));
        return new Listener(server.build().start(), connections);
    }

    public int port() {
        return server.port();
    }

    /** Takes no more requests; those under way have a moment to end. */
    @Override
    public void close() {
        server.stop();
        connections.close();
    }

    /** Answers to what is no proper HTTP, in our form. */
    private static DirectHandlers directHandlers() {
        DirectHandlers.Builder handlers = DirectHandlers.builder();
        DirectHandler handler = (request, event, status, headers, message) -> {
            ProblemType type = status.code() < 500 ? ProblemType.INVALID : ProblemType.INTERNAL;
            ProblemDocument problem = new ProblemDocument(
                    type.urn(),
                    type.title(),
                    status.code(),
                    "The request is not proper HTTP/1.1.",
                    List.of(),
                    Optional.empty(),
                    List.of());
            return DirectHandler.TransportResponse.builder()
                    .status(Status.create(status.code()))
                    .headers(headers)
                    .header(HeaderNames.CONTENT_TYPE, "application/problem+json")
                    .keepAlive(false)
                    .entity(problem.toJson().toString())
                    .build();
        };
        for (DirectHandler.EventType event : DirectHandler.EventType.values()) {
            handlers.addHandler(event, handler);
        }
        return handlers.build();
    }

    /** The loopback address and a free port. */
    public static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }
}
