package dev.muster.cli;

import dev.muster.api.Document;
import dev.muster.api.ProblemDocument;
import dev.muster.api.ProblemType;
import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * A service of which each test says how it answers; it remembers what it was asked. It speaks HTTP/1.1 over plain sockets, so that a
 * test decides about every byte: its clock, and how a stream ends.
 */
public final class FakeService implements AutoCloseable {
    /** How a route answers. */
    public interface Route {
        void answer(Call call) throws IOException, InterruptedException;
    }

    /** What was asked. */
    public record Asked(String method, String path, String query, byte[] body, Map<String, String> headers) {
        public JsonFields json() {
            return (JsonFields) Json.parse(new String(body, StandardCharsets.UTF_8));
        }

        public String header(String name) {
            return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        }
    }

    private final ServerSocket socket = new ServerSocket();
    private final Map<String, Route> routes = new ConcurrentHashMap<>();
    private final List<Asked> asked = Collections.synchronizedList(new ArrayList<>());
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private volatile String date = "Sat, 31 Jan 2026 12:05:00 GMT";

    public FakeService() throws IOException {
        this(0);
    }

    /** On this port, so that a service can come back where another one was. */
    public FakeService(int port) throws IOException {
        socket.setReuseAddress(true);
        bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        Thread.ofVirtual().start(this::accept);
    }

    /** The service before may need a moment to let go of the port. */
    private void bind(InetSocketAddress address) throws IOException {
        for (int tries = 0; ; tries++) {
            try {
                socket.bind(address);
                return;
            } catch (BindException held) {
                if (tries == 500) {
                    throw held;
                }
                LockSupport.parkNanos(10_000_000);
            }
        }
    }

    public int port() {
        return socket.getLocalPort();
    }

    public String address() {
        return "http://127.0.0.1:" + port();
    }

    /** What its clock shows, as header Date says it. */
    public FakeService clock(String now) {
        date = now;
        return this;
    }

    /** Answers requests such as {@code GET /jobs/kx1}. */
    public FakeService on(String request, Route route) {
        routes.put(request, route);
        return this;
    }

    /** Answers with a JSON document. */
    public FakeService on(String request, int status, Document document) {
        return on(request, status, document.toJson().toString());
    }

    /** Answers with a text as it is. */
    public FakeService on(String request, int status, String text) {
        return on(request, call -> call.answer(status, text));
    }

    public List<Asked> asked() {
        return List.copyOf(asked);
    }

    /** What was asked of this route, such as {@code POST /jobs}. */
    public List<Asked> asked(String request) {
        return asked().stream()
                .filter(one -> (one.method() + " " + one.path()).equals(request))
                .toList();
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = socket.accept();
                connections.add(connection);
                Thread.ofVirtual().start(() -> serve(connection));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            Asked one = read(new BufferedInputStream(connection.getInputStream()));
            asked.add(one);
            Call call = new Call(one, connection.getOutputStream(), date);
            Route route = routes.get(one.method() + " " + one.path());
            if (route == null) {
                ProblemDocument problem = ProblemDocument.of(ProblemType.NOT_FOUND, "there is no " + one.path());
                call.answer(404, problem.toJson().toString());
            } else {
                route.answer(call);
            }
        } catch (IOException | InterruptedException gone) {
            // The client went away, or the route broke off.
        } finally {
            connections.remove(connection);
        }
    }

    private static Asked read(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
            int one = in.read();
            if (one < 0) {
                throw new IOException("no request");
            }
            head.write(one);
        }
        List<String> lines = head.toString(StandardCharsets.US_ASCII).lines().toList();
        Map<String, String> headers = new TreeMap<>();
        for (String line : lines.subList(1, lines.size() - 1)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        String[] first = lines.getFirst().split(" ");
        String[] target = first[1].split("\\?", 2);
        byte[] body = in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
        return new Asked(
                first[0], target[0].replaceFirst("^/v1", ""), target.length > 1 ? target[1] : "", body, headers);
    }

    /** One request being answered. Its connection is closed when the route returns: without {@link #end}, a stream breaks off. */
    public static final class Call {
        private final Asked asked;
        private final OutputStream out;
        private final StringBuilder headers = new StringBuilder();
        private boolean streaming;

        private Call(Asked asked, OutputStream out, String date) {
            this.asked = asked;
            this.out = out;
            header("Date", date);
        }

        public Asked asked() {
            return asked;
        }

        public Call header(String name, String value) {
            headers.append(name).append(": ").append(value).append("\r\n");
            return this;
        }

        public void answer(int status, String text) throws IOException {
            answer(status, text.getBytes(StandardCharsets.UTF_8));
        }

        public void answer(int status, byte[] bytes) throws IOException {
            write("HTTP/1.1 " + status + " Fake\r\n" + headers + "Connection: close\r\n"
                    + (status == 204 ? "" : "Content-Length: " + bytes.length + "\r\n") + "\r\n");
            out.write(bytes);
            out.flush();
        }

        /** Sends a piece of a stream at once. */
        public Call piece(String text) throws IOException {
            if (!streaming) {
                streaming = true;
                write("HTTP/1.1 200 Fake\r\n" + headers + "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n");
            }
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            if (bytes.length > 0) {
                write(Integer.toHexString(bytes.length) + "\r\n");
                out.write(bytes);
                write("\r\n");
            }
            return this;
        }

        /** Ends the stream properly. */
        public void end() throws IOException {
            piece("");
            write("0\r\n\r\n");
        }

        private void write(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
    }

    /** Ends it as kill -9 does: connections break off, nothing listens any more. */
    @Override
    public void close() {
        try {
            socket.close();
            for (Socket connection : connections) {
                connection.close();
            }
        } catch (IOException ignored) {
            // It is closed either way.
        }
    }
}
