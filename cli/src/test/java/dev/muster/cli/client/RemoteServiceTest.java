package dev.muster.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.cli.base.ExitCode;
import dev.muster.cli.base.Failure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RemoteServiceTest {
    private static RemoteService service(String url, String token) {
        return new RemoteService(url, Optional.of(token), Optional.empty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3cret\n", "s3cret\r\n", " s3cret"})
    void theEndOfTheLineIsNoPartOfAToken(String token) {
        assertThat(service("http://127.0.0.1:1", token).find().token()).contains("s3cret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3c\nret", "s3c\rret", "s3c ret", "s3c\u0000ret", "s3cr\u00e9t"})
    void aTokenThatIsNoneIsRefusedAndNeverShown(String token) {
        Failure failure = catchThrowableOfType(Failure.class, () -> service("http://127.0.0.1:1", token));
        assertThat(failure.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(failure.getMessage())
                .startsWith("MUSTER_TOKEN must be one token")
                .doesNotContain("s3c");
    }

    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:99999, ports end at 65535, http://127.0.0.1:8470",
        "https://muster.example.org:8470/v1/, is without the /v1, https://muster.example.org:8470",
        "muster.example.org, must be a URL, such as https://muster.example.org:8443"
    })
    void aWrongUrlIsToldWithTheRightOne(String url, String rule, String suggestion) {
        Failure failure = catchThrowableOfType(Failure.class, () -> service(url, "t"));
        assertThat(failure.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(failure.getMessage()).startsWith("--server").contains(rule);
        assertThat(failure.problem().problems().getFirst().suggestion()).contains(suggestion);
    }

    @Test
    void whereHttpIsSpokenHttpsIsToldSo() throws IOException {
        try (ServerSocket plain = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                while (!plain.isClosed()) {
                    try (Socket client = plain.accept()) {
                        client.getInputStream().read();
                        client.getOutputStream()
                                .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    } catch (IOException closed) {
                        return;
                    }
                }
            });
            String address = "127.0.0.1:" + plain.getLocalPort();
            Client client = new Client(service("https://" + address, "t"));
            Failure failure = catchThrowableOfType(Failure.class, () -> client.json(Request.get("/health")));
            assertThat(failure.exitCode()).isEqualTo(ExitCode.NOT_REACHED);
            assertThat(failure.getMessage()).contains("it seems to speak plain HTTP: http://" + address);
        }
    }
}
