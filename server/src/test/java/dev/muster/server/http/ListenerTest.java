package dev.muster.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ListenerTest {
    private static final Handler FINE = (exchange, variables) -> exchange.send(204, Map.of());

    @Test
    void whereNobodyCanListenNoneIsOpened() throws Exception {
        try (ServerSocket another = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() ->
                            Listener.open((InetSocketAddress) another.getLocalSocketAddress(), Optional.empty(), FINE))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("cannot be listened at");
        }
    }

    @Test
    void anotherVersionOfHttpIsToldWhichIsSpokenAndHowAProxyIsSet() throws Exception {
        assertThat(answer(FINE, "GET /v1/health HTTP/1.0\r\nHost: here\r\n\r\n"))
                .startsWith("HTTP/1.1 505")
                .contains("urn:muster:invalid", "Muster speaks HTTP/1.1", "proxy_http_version 1.1")
                .doesNotContain("A fault in Muster");
    }

    @Test
    void headersThatAreTooLargeAreToldWithTheirBound() throws Exception {
        assertThat(answer(FINE, "GET / HTTP/1.1\r\nHost: here\r\nX: " + "x".repeat(20_000) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 400")
                .contains("16 KiB");
    }

    /** One that is followed would never end. */
    @Test
    void ofAStreamOnlyTheHeadIsSentToWhoAsksForTheHead() throws Exception {
        Handler follows = (exchange, variables) -> {
            try (OutputStream out = exchange.stream("text/plain", Map.of())) {
                while (true) {
                    Thread.sleep(10);
                    out.write('x');
                    out.flush();
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        };
        assertThat(answer(follows, "HEAD /log HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200")
                .endsWith("\r\n\r\n");
    }

    private static String answer(Handler handler, String request) throws Exception {
        try (Listener listener = Listener.open(Listener.loopback(), Optional.empty(), handler);
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
