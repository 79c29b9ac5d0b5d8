package dev.muster.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.server.log.ServiceLog;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that always send one more byte, just in time for the limit of a single read. */
@Timeout(300)
class SlowClientsTest {
    private static final Patience SHORT =
            new Patience(Duration.ofSeconds(2), Duration.ofSeconds(3), Duration.ofSeconds(1), 1024);
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    /** More than both sides of a connection keep for a client that does not read. */
    private static final int BIG = 64 << 20;

    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicInteger handled = new AtomicInteger();
    private ServiceLog log;
    private Listener listener;

    @BeforeEach
    void open() throws IOException {
        log = ServiceLog.install(folder.resolve("service.log"));
        listener = open(SHORT);
    }

    private Listener open(Patience patience) throws IOException {
        Handler handler = new ErrorAnswers((exchange, variables) -> {
            handled.incrementAndGet();
            if (exchange.path().equals("/big")) {
                try {
                    exchange.send(200, "text/plain", "x".repeat(BIG), Map.of());
                } finally {
                    ended.incrementAndGet();
                }
                return;
            }
            if (exchange.path().equals("/stream")) {
                try (OutputStream out = exchange.stream(200, "text/plain", Map.of())) {
                    for (int sent = 0; sent < BIG; sent += 1000) {
                        out.write(new byte[1000]);
                    }
                } finally {
                    ended.incrementAndGet();
                }
                return;
            }
            try (InputStream body = exchange.body()) {
                exchange.send(200, "text/plain", Integer.toString(body.readAllBytes().length), Map.of());
            }
        });
        return Listener.open(Listener.loopback(), Optional.empty(), handler, patience);
    }

    @AfterEach
    void close() throws IOException {
        listener.close();
        log.close();
    }

    @Test
    void aHeadThatComesByteByByteIsCutOff() throws Exception {
        try (Socket client = connect()) {
            assertThat(trickle(client, "GET / HTTP/1.1\r\nHost: a\r\nX: ")).isLessThan(SOON);
        }
        assertThat(handled).hasValue(0);
        assertNothingIsLogged();
    }

    @Test
    void whoConnectsAndSaysNothingIsCutOff() throws Exception {
        try (Socket client = connect()) {
            client.setSoTimeout((int) SOON.toMillis());
            assertThat(client.getInputStream().read()).isNegative();
        }
    }

    @Test
    void theHeadOfALaterRequestIsCutOffToo() throws Exception {
        try (Socket client = connect()) {
            send(client, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            byte[] answer = new byte[15];
            assertThat(client.getInputStream().readNBytes(answer, 0, 15)).isEqualTo(15);
            assertThat(trickle(client, "GET / HTTP/1.1\r\nHost: a\r\nX: ")).isLessThan(SOON);
        }
        assertThat(handled).hasValue(1);
    }

    @Test
    void aBodyThatComesByteByByteIsCutOff() throws Exception {
        try (Socket client = connect()) {
            String head = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n";
            assertThat(trickle(client, head)).isLessThan(SOON);
        }
        assertThat(handled).hasValue(1);
        assertNothingIsLogged();
    }

    @Test
    void aBodyThatComesFastEnoughMayTakeLongerThanALimit() throws Exception {
        listener.close();
        // Between two parts a busy machine has seconds.
        listener = open(new Patience(Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(1), 1024));
        int parts = 27;
        try (Socket client = connect()) {
            client.setSoTimeout((int) SOON.toMillis());
            send(
                    client,
                    "PUT / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: " + parts * 8192 + "\r\n\r\n");
            for (int part = 0; part < parts; part++) {
                Thread.sleep(200);
                send(client, "x".repeat(8192));
            }
            String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(answer).startsWith("HTTP/1.1 200").endsWith(Integer.toString(parts * 8192));
        }
    }

    @Test
    void aClientThatVanishesInItsBodyIsNoFault() throws Exception {
        for (String head :
                new String[] {"Content-Length: 1000\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n5\r\nab"}) {
            int before = handled.get();
            try (Socket client = connect()) {
                // Closing it then is a reset.
                client.setSoLinger(true, 0);
                send(client, "PUT / HTTP/1.1\r\nHost: a\r\n" + head);
                until(() -> handled.get() > before);
            }
        }
        listener.close();
        assertNothingIsLogged();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/big", "/stream"})
    void whoDoesNotReadItsAnswerIsCutOff(String path) throws Exception {
        try (Socket client = connect()) {
            send(client, "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
            until(() -> ended.get() == 1);
        }
        assertNothingIsLogged();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/big", "/stream"})
    void whoReadsSlowlyGetsAllOfIt(String path) throws Exception {
        long read = 0;
        try (Socket client = connect()) {
            client.setSoTimeout((int) SOON.toMillis());
            send(client, "GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            byte[] piece = new byte[2 << 20];
            for (int got = client.getInputStream().readNBytes(piece, 0, piece.length);
                    got > 0;
                    got = client.getInputStream().readNBytes(piece, 0, piece.length)) {
                read += got;
                Thread.sleep(100);
            }
        }
        assertThat(read).isGreaterThan(BIG);
    }

    @Test
    void moreHalfHeadsThanThereAreConnectionsKeepNobodyOut() throws Exception {
        listener.close();
        listener = open(Patience.USUAL);
        List<Socket> half = new ArrayList<>();
        try {
            for (int client = 0; client < 1200; client++) {
                half.add(connect());
                send(half.getLast(), "GET / HTTP/1.1\r\nHost: ");
            }
            long begun = System.nanoTime();
            try (Socket client = connect()) {
                send(client, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
                assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                        .startsWith("HTTP/1.1 200");
            }
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(15));
        } finally {
            for (Socket client : half) {
                client.close();
            }
        }
        assertThat(Files.readAllLines(folder.resolve("service.log")))
                .singleElement()
                .asString()
                .contains("connections are open; those that ask nothing are closed");
    }

    private interface Condition {
        boolean holds();
    }

    private static void until(Condition condition) throws InterruptedException {
        long end = System.nanoTime() + SOON.toNanos();
        while (!condition.holds()) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.sleep(5);
        }
    }

    private void assertNothingIsLogged() throws IOException {
        assertThat(Files.readString(folder.resolve("service.log"))).isEmpty();
    }

    private Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), listener.port());
    }

    /** Sends a byte every 100 ms until the other side has closed; how long that took. */
    private static Duration trickle(Socket client, String beginning) throws Exception {
        long begun = System.nanoTime();
        send(client, beginning);
        client.setSoTimeout(100);
        while (System.nanoTime() - begun < SOON.toNanos()) {
            try {
                if (client.getInputStream().read() < 0) {
                    break;
                }
            } catch (SocketTimeoutException nothingYet) {
                try {
                    send(client, "x");
                } catch (IOException cut) {
                    break;
                }
            } catch (IOException cut) {
                break;
            }
        }
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    private static void send(Socket client, String text) throws IOException {
        client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        client.getOutputStream().flush();
    }
}
