package dev.muster.backend.docker;

import dev.muster.formats.streams.BoundedInput;
import dev.muster.formats.streams.BulkInput;
import dev.muster.formats.streams.BulkOutput;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * HTTP/1.1 (RFC 9112) over a UNIX or TCP socket, as much of it as dockerd's API takes: one request a connection, bodies by length, in
 * chunks or until the end. The JDK's own client speaks to no UNIX socket.
 */
final class Http {
    private static final int LONGEST_LINE = 64 << 10;
    private static final ScheduledExecutorService WATCHDOG = watchdog();

    private final DockerAddress address;

    Http(DockerAddress address) {
        this.address = address;
    }

    private static ScheduledExecutorService watchdog() {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("docker-timeouts").factory());
        executor.setRemoveOnCancelPolicy(true);
        return executor;
    }

    /** Writes the body of a request. */
    interface Body {
        void writeTo(OutputStream out) throws IOException;
    }

    /**
     * A request.
     *
     * @param type   content type of the body
     * @param length bytes of the body; negative when it is sent in chunks
     * @param within bound on all of it, the body of the answer included; zero for none
     */
    record Request(String method, String path, String type, long length, Body body, Duration within) {}

    /** An answer; closing it ends the connection. */
    static final class Answer implements AutoCloseable {
        private final int status;
        private final Map<String, String> headers;
        private final InputStream body;
        private final SocketChannel channel;
        private final ScheduledFuture<?> timeout;

        private Answer(
                int status,
                Map<String, String> headers,
                InputStream body,
                SocketChannel channel,
                ScheduledFuture<?> timeout) {
            this.status = status;
            this.headers = headers;
            this.body = body;
            this.channel = channel;
            this.timeout = timeout;
        }

        int status() {
            return status;
        }

        /** A header by its lower-case name, empty when it is not there. */
        String header(String name) {
            return headers.getOrDefault(name, "");
        }

        InputStream body() {
            return body;
        }

        @Override
        public void close() {
            cancel(timeout);
            closeQuietly(channel);
        }
    }

    /** Sends the request and reads the head of the answer. */
    Answer send(Request request) throws IOException {
        SocketChannel channel = address.connect();
        ScheduledFuture<?> timeout = request.within().isZero()
                ? null
                : WATCHDOG.schedule(
                        () -> closeQuietly(channel), request.within().toMillis(), TimeUnit.MILLISECONDS);
        boolean answered = false;
        try {
            write(Channels.newOutputStream(channel), request);
            Answer answer = read(new BufferedInputStream(Channels.newInputStream(channel)), channel, timeout, request);
            answered = true;
            return answer;
        } finally {
            if (!answered) {
                cancel(timeout);
                closeQuietly(channel);
            }
        }
    }

    private static void write(OutputStream out, Request request) throws IOException {
        StringBuilder head = new StringBuilder();
        head.append(request.method()).append(' ').append(request.path()).append(" HTTP/1.1\r\n");
        head.append("Host: docker\r\nUser-Agent: muster\r\nConnection: close\r\n");
        if (request.length() >= 0) {
            head.append("Content-Length: ").append(request.length()).append("\r\n");
        } else {
            head.append("Transfer-Encoding: chunked\r\n");
        }
        if (!request.type().isEmpty()) {
            head.append("Content-Type: ").append(request.type()).append("\r\n");
        }
        out.write(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        if (request.length() >= 0) {
            request.body().writeTo(out);
        } else {
            ChunkedOutput chunks = new ChunkedOutput(out);
            request.body().writeTo(chunks);
            chunks.end();
        }
    }

    private static Answer read(InputStream in, SocketChannel channel, ScheduledFuture<?> timeout, Request request)
            throws IOException {
        String[] status = line(in).split(" ", 3);
        if (status.length < 2 || !status[0].startsWith("HTTP/1.") || !status[1].matches("\\d{3}")) {
            throw new IOException("what answers is no dockerd: it does not speak HTTP");
        }
        Map<String, String> headers = new TreeMap<>();
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            int colon = header.indexOf(':');
            if (colon > 0) {
                headers.put(
                        header.substring(0, colon).strip().toLowerCase(Locale.ROOT),
                        header.substring(colon + 1).strip());
            }
        }
        int code = Integer.parseInt(status[1]);
        return new Answer(code, headers, body(in, code, headers, request.method()), channel, timeout);
    }

    private static InputStream body(InputStream in, int code, Map<String, String> headers, String method) {
        if (method.equals("HEAD") || code == 204 || code == 304) {
            return InputStream.nullInputStream();
        }
        if (headers.getOrDefault("transfer-encoding", "")
                .toLowerCase(Locale.ROOT)
                .contains("chunked")) {
            return new ChunkedInput(in);
        }
        String length = headers.get("content-length");
        return length == null ? in : new BoundedInput(in, Long.parseLong(length), Http::brokenOff);
    }

    static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        while (true) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the connection was closed before the answer");
            }
            if (next == '\n') {
                return line.toString();
            }
            if (next != '\r') {
                line.append((char) next);
            }
            if (line.length() > LONGEST_LINE) {
                throw new IOException("the answer has an endless header");
            }
        }
    }

    private static EOFException brokenOff() {
        return new EOFException("the connection was closed in the middle of an answer");
    }

    private static void cancel(ScheduledFuture<?> timeout) {
        if (timeout != null) {
            timeout.cancel(false);
        }
    }

    private static void closeQuietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException gone) {
            // Closed is all it should be.
            return;
        }
    }

    /** Chunks until the empty one. */
    private static final class ChunkedInput extends BulkInput {
        private final InputStream in;
        private long left;
        private boolean first = true;
        private boolean ended;

        ChunkedInput(InputStream in) {
            this.in = in;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (left == 0 && !ended) {
                next();
            }
            if (ended) {
                return -1;
            }
            int count = in.read(bytes, offset, (int) Math.min(length, left));
            if (count < 0) {
                throw brokenOff();
            }
            left -= count;
            return count;
        }

        /** No more than belongs to the body: who asks would wait for the next chunk else. */
        @Override
        public int available() throws IOException {
            return (int) Math.min(in.available(), left);
        }

        private void next() throws IOException {
            if (!first) {
                line(in);
            }
            first = false;
            String size = line(in).split(";", 2)[0].strip();
            try {
                left = Long.parseLong(size, 16);
            } catch (NumberFormatException broken) {
                throw new IOException("the answer is broken: '" + size + "' is no length of a chunk", broken);
            }
            ended = left == 0;
        }
    }

    /** Each write as a chunk. */
    private static final class ChunkedOutput extends BulkOutput {
        private final OutputStream out;

        ChunkedOutput(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (length > 0) {
                out.write((Integer.toHexString(length) + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
                out.write(bytes, offset, length);
                out.write('\r');
                out.write('\n');
            }
        }

        void end() throws IOException {
            out.write("0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
        }
    }
}
