package dev.muster.backend.docker;

import dev.muster.testkit.Await;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A real registry of images (Debian's docker-registry) on loopback, which dockerd takes without TLS. */
final class TestRegistry {
    private static final Duration SOON = Duration.ofSeconds(20);

    private final Process process;
    private final int port;

    TestRegistry(Path folder, int port) throws Exception {
        this.port = port;
        Path config = folder.resolve("registry.yml");
        Files.writeString(
                config,
                "version: 0.1\nlog: {level: error, accesslog: {disabled: true}}\nhttp: {addr: '127.0.0.1:" + port
                        + "'}\nstorage: {filesystem: {rootdirectory: '" + folder.resolve("registry") + "'}}\n");
        process = new ProcessBuilder("docker-registry", "serve", config.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("registry.log").toFile())
                .start();
        Await.until("the registry listens", SOON, this::listens);
    }

    private boolean listens() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), 100);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Stores an image of dockerd's under a new name, and takes it away from dockerd. */
    String push(String image, String name) throws Exception {
        String full = "127.0.0.1:" + port + "/" + name;
        docker("tag", image, full);
        docker("push", "-q", full);
        docker("rmi", full);
        return full;
    }

    static void docker(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("docker", "-H", TestDockerd.host()));
        command.addAll(List.of(words));
        Process done = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(done.getInputStream().readAllBytes());
        if (done.waitFor() != 0) {
            throw new IOException(command + " failed: " + said);
        }
    }

    void close() throws InterruptedException {
        process.destroy();
        process.waitFor();
    }
}
