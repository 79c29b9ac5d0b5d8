package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.testkit.Await;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a server that takes its time to read, as at the other end of a slow line. */
class QueueingHttpTest {
    private static final int PIECE = 1 << 20;
    private static final int PIECES = 24;
    private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private final CountDownLatch reading = new CountDownLatch(1);
    private final AtomicLong read = new AtomicLong();
    private ServerSocket server;

    @BeforeEach
    void open() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::serve);
    }

    @AfterEach
    void close() throws IOException {
        reading.countDown();
        server.close();
    }

    private void serve() {
        try (Socket socket = server.accept()) {
            InputStream in = socket.getInputStream();
            StringBuilder request = new StringBuilder();
            while (request.indexOf("\r\n\r\n") < 0) {
                request.append((char) in.read());
            }
            String key = request.toString()
                    .lines()
                    .filter(line -> line.regionMatches(true, 0, "Sec-WebSocket-Key:", 0, 18))
                    .map(line -> line.substring(18).strip())
                    .findFirst()
                    .orElseThrow();
            byte[] digest =
                    MessageDigest.getInstance("SHA-1").digest((key + MAGIC).getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream()
                    .write(
                            ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
                                            + Base64.getEncoder().encodeToString(digest) + "\r\n\r\n")
                                    .getBytes(StandardCharsets.US_ASCII));
            reading.await();
            byte[] buffer = new byte[1 << 16];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                read.addAndGet(count);
            }
        } catch (Exception over) {
            read.set(Long.MIN_VALUE);
        }
    }

    private WebSocket connect(HttpClient client) {
        URI uri = URI.create("ws://localhost:" + server.getLocalPort());
        return client.newWebSocketBuilder()
                .buildAsync(uri, new WebSocket.Listener() {})
                .join();
    }

    private static List<CompletableFuture<WebSocket>> send(WebSocket socket) {
        List<CompletableFuture<WebSocket>> sent = new ArrayList<>();
        for (int piece = 0; piece < PIECES; piece++) {
            sent.add(socket.sendBinary(ByteBuffer.allocate(PIECE), true));
        }
        return sent;
    }

    @Test
    void whatAServerIsSlowToReadArrivesWhole() {
        try (HttpClient client = new QueueingHttp().createNewHttpClientBuilder().build()) {
            WebSocket socket = connect(client);
            List<CompletableFuture<WebSocket>> sent = send(socket);
            assertThat(sent).anyMatch(each -> !each.isDone());
            reading.countDown();
            sent.forEach(CompletableFuture::join);
            Await.until("all has arrived", Duration.ofSeconds(20), () -> read.get() > (long) PIECE * PIECES);
            socket.abort();
        }
    }

    /** Should this fail one day, the queue is needed no more. */
    @Test
    void theJdksOwnRefusesIt() {
        try (HttpClient client = HttpClient.newHttpClient()) {
            WebSocket socket = connect(client);
            assertThat(send(socket)).anyMatch(CompletableFuture::isCompletedExceptionally);
            reading.countDown();
            socket.abort();
        }
    }
}
