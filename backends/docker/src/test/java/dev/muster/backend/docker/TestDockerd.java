package dev.muster.backend.docker;

import dev.muster.spi.CodeStore;
import dev.muster.spi.JobFolders;
import dev.muster.testkit.ContactTck.Outage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** The dockerd that testbed/docker started; its address comes as system property {@code muster.docker}. */
final class TestDockerd {
    private TestDockerd() {}

    static String host() {
        return System.getProperty("muster.docker", "");
    }

    static DockerConfig config(JobFolders folders, CodeStore code, DockerConfig.Files files) {
        return new DockerConfig(
                folders,
                code,
                host(),
                () -> "test" + Integer.toHexString(folders.home().hashCode()),
                UnaryOperator.identity(),
                List.of(),
                List.of(),
                files,
                Duration.ofMillis(10));
    }

    /** dockerd itself is stopped: connections are taken by the kernel, and nobody answers. */
    static Outage outage() {
        return new Outage() {
            @Override
            public void begin() throws Exception {
                signal("STOP");
            }

            @Override
            public void end() throws Exception {
                signal("CONT");
            }
        };
    }

    private static void signal(String name) throws IOException, InterruptedException {
        Path socket = Path.of(host().substring("unix://".length()));
        String pid = Files.readString(socket.resolveSibling("dockerd.pid")).strip();
        int code =
                new ProcessBuilder("kill", "-" + name, pid).inheritIO().start().waitFor();
        if (code != 0) {
            throw new IOException("dockerd " + pid + " could not be sent " + name);
        }
    }
}
