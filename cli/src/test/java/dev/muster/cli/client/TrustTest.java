package dev.muster.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.cli.base.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A service with a certificate that signs itself. */
@Timeout(300)
final class TrustTest {
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final String ANSWER = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 14\r\n"
            + "Connection: close\r\n\r\n{\"items\": [1]}";

    @TempDir
    Path folder;

    @Test
    void whatTheFileHoldsIsBelieved() throws Exception {
        KeyStore keys = keys();
        try (SSLServerSocket service = service(keys)) {
            Path pem = folder.resolve("service.crt");
            String encoded = Base64.getMimeEncoder()
                    .encodeToString(keys.getCertificate("service").getEncoded());
            Files.writeString(pem, "-----BEGIN CERTIFICATE-----\n" + encoded + "\n-----END CERTIFICATE-----\n");
            Client client = client(service, Optional.of(pem));
            assertThat(client.json(Request.get("/jobs")).toString()).contains("items");
        }
    }

    @Test
    void whatItDoesNotHoldIsNotAndTheVariableIsNamed() throws Exception {
        try (SSLServerSocket service = service(keys())) {
            assertThatThrownBy(() -> client(service, Optional.empty()).json(Request.get("/jobs")))
                    .isInstanceOf(Failure.class)
                    .hasMessageContaining("SSL_CERT_FILE");
        }
    }

    @Test
    void aFileThatHoldsNoCertificateIsNamed() throws Exception {
        Path empty = Files.writeString(folder.resolve("empty.crt"), "");
        for (Path file : List.of(empty, folder.resolve("missing.crt"))) {
            assertThatThrownBy(() -> Trust.in(file.toString()))
                    .isInstanceOf(Failure.class)
                    .hasMessageContaining(file.toString());
        }
    }

    private static Client client(SSLServerSocket service, Optional<Path> believed) {
        String address = "https://localhost:" + service.getLocalPort();
        return new Client(new RemoteService(address, Optional.of("token"), believed.map(Path::toString)));
    }

    private KeyStore keys() throws Exception {
        Path store = folder.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        new String(PASSWORD),
                        "-alias",
                        "service",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.out").toFile())
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        return keys;
    }

    /** Answers everybody the same until it is closed. */
    private static SSLServerSocket service(KeyStore keys) throws Exception {
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        SSLServerSocket socket = (SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(() -> {
            while (!socket.isClosed()) {
                try (Socket client = socket.accept()) {
                    answer(client);
                } catch (IOException refusedOrClosed) {
                    // A client that does not believe the certificate goes; a closed socket ends the loop.
                }
            }
        });
        return socket;
    }

    private static void answer(Socket client) throws IOException {
        StringBuilder head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            int next = client.getInputStream().read();
            if (next < 0) {
                return;
            }
            head.append((char) next);
        }
        client.getOutputStream().write(ANSWER.getBytes(StandardCharsets.US_ASCII));
        client.getOutputStream().flush();
    }
}
