package dev.muster.server.http;

import dev.muster.api.ProblemDocument;
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
import java.net.BindException;
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
    /** For those that are about to be closed, and those whose request is just coming. */
    private static final int ROOM = 128;

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
     * @throws UncheckedIOException when nobody can listen there
     */
    public static Listener open(InetSocketAddress address, Optional<SSLContext> tls, Handler handler) {
        return open(address, tls, handler, Patience.USUAL);
    }

    static Listener open(InetSocketAddress address, Optional<SSLContext> tls, Handler handler, Patience patience) {
        Connections connections = new Connections(patience, MAX_CONNECTIONS - ROOM);
        HttpRouting.Builder routing = HttpRouting.builder().any((request, response) -> {
            SocketAddress client = request.remotePeer().address();
            connections.answering(client);
            try {
                handler.handle(
                        new HelidonExchange(request, response, patience, connections.reading(client)),
                        new PathVariables(Map.of()));
            } catch (HeadAnsweredException done) {
                // It was all that was asked for; the connection may go on.
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
        WebServer started = server.build().start();
        if (!started.isRunning()) {
            connections.close();
            // Helidon logs why, and goes on without its listener.
            throw new UncheckedIOException(new BindException(address + " cannot be listened at"));
        }
        return new Listener(started, connections);
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
            Rejection rejection = Rejection.of(status.code());
            ProblemDocument problem = new ProblemDocument(
                    rejection.type().urn(),
                    rejection.type().title(),
                    rejection.status(),
                    rejection.detail(),
                    List.of(),
                    Optional.empty(),
                    List.of());
            return DirectHandler.TransportResponse.builder()
                    .status(Status.create(rejection.status()))
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
