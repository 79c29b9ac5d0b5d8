package dev.muster.cli.doctor;

import dev.muster.cli.base.Reasons;
import dev.muster.cli.base.Surroundings;
import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonException;
import dev.muster.formats.json.JsonFields;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.URLConnection;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** The dockerd that backend docker would use. */
final class DockerCheck {
    private static final String NAME = "docker";
    private static final String UNIX = "unix://";
    private static final String TCP = "tcp://";
    private static final int LARGEST = 1 << 20;
    private static final int PATIENCE_MILLISECONDS = 5_000;

    private final Optional<String> host;
    private final Path usual;

    DockerCheck(Surroundings surroundings) {
        this(surroundings, Path.of("/var/run/docker.sock"));
    }

    /** @param usual socket that is used where no other is named */
    DockerCheck(Surroundings surroundings, Path usual) {
        this.host = surroundings.variable("DOCKER_HOST");
        this.usual = usual;
    }

    Finding look() {
        if (host.isEmpty() && !Files.exists(usual)) {
            return Finding.none(
                    NAME, "DOCKER_HOST is not set and there is no " + usual + ": jobs of backend docker are refused");
        }
        String address = host.orElse(UNIX + usual);
        try {
            return Finding.ok(NAME, "dockerd " + version(address) + " answers at " + address);
        } catch (IOException | IllegalArgumentException unanswered) {
            String why = unanswered instanceof IOException failed ? Reasons.of(failed) : unanswered.getMessage();
            return Finding.limited(
                    NAME,
                    address + " does not answer (" + why + "): jobs of backend docker are refused",
                    "start dockerd, let your user use its socket (group docker), or correct DOCKER_HOST");
        }
    }

    private static String version(String address) throws IOException {
        if (address.startsWith(UNIX)) {
            Path socket = Path.of(address.substring(UNIX.length()));
            // A channel to a socket knows no time limit of its own.
            try {
                return CompletableFuture.supplyAsync(() -> overSocket(socket), Thread::startVirtualThread)
                        .orTimeout(PATIENCE_MILLISECONDS, TimeUnit.MILLISECONDS)
                        .join();
            } catch (CompletionException failed) {
                throw failed.getCause() instanceof IOException cause ? cause : new IOException("it is silent", failed);
            }
        }
        if (!address.startsWith(TCP)) {
            throw new IOException("Muster speaks unix:///path and tcp://host:port");
        }
        URLConnection connection = URI.create("http://" + address.substring(TCP.length()) + "/version")
                .toURL()
                .openConnection();
        connection.setConnectTimeout(PATIENCE_MILLISECONDS);
        connection.setReadTimeout(PATIENCE_MILLISECONDS);
        try (InputStream in = connection.getInputStream()) {
            return version(in.readNBytes(LARGEST));
        }
    }

    private static String overSocket(Path socket) {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            channel.write(ByteBuffer.wrap(
                    "GET /version HTTP/1.0\r\nHost: docker\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
            return version(Channels.newInputStream(channel).readNBytes(LARGEST));
        } catch (IOException unanswered) {
            throw new CompletionException(unanswered);
        }
    }

    /** From a document, with or without a head before it. */
    private static String version(byte[] answer) throws IOException {
        String text = new String(answer, StandardCharsets.UTF_8);
        int start = text.indexOf('{');
        int end = text.lastIndexOf('}');
        try {
            if (start >= 0 && end > start && Json.parse(text.substring(start, end + 1)) instanceof JsonFields fields) {
                return fields.text("Version");
            }
        } catch (JsonException none) {
            // Told below.
        }
        throw new IOException("what answers is no dockerd");
    }
}
