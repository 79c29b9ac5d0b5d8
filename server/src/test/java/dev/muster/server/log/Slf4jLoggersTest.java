package dev.muster.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

final class Slf4jLoggersTest {
    @TempDir
    Path folder;

    @Test
    void aLibraryIsHeardWhenSomethingIsWrong() throws Exception {
        Path file = folder.resolve("service.log");
        try (ServiceLog _ = ServiceLog.install(file)) {
            LoggerFactory.getLogger("com.example.Pool").info("all is well with {}", "it");
            LoggerFactory.getLogger("com.example.Pool").warn("{} of {} are gone {x}", 1, 2);
        }
        assertThat(Files.readAllLines(file))
                .singleElement()
                .satisfies(line -> assertThat(line).endsWith("WARNING com.example.Pool: 1 of 2 are gone {x}"));
    }

    /** As the client of Kubernetes told of pods that no kubelet runs, with some sixty lines each. */
    @Test
    void aTroubleOfTheClientOfKubernetesIsALineAndToldOnce() throws Exception {
        Path file = folder.resolve("service.log");
        Logger client = LoggerFactory.getLogger("io.fabric8.kubernetes.client.dsl.internal.ExecWebSocketListener");
        try (ServiceLog _ = ServiceLog.install(file)) {
            for (int pod = 0; pod < 5; pod++) {
                client.error(
                        "Exec Failure", new CompletionException(new IOException("no address for job" + pod + "-a1")));
            }
            client.error("Exec Failure", new IOException("closed output"));
        }
        assertThat(Files.readAllLines(file))
                .satisfiesExactly(
                        line -> assertThat(line)
                                .endsWith("Listener: Exec Failure (IOException: no address for job0-a1)"),
                        line -> assertThat(line).endsWith("Listener: Exec Failure (IOException: closed output)"));
    }

    @Test
    void aTroubleThatStaysIsToldAgainAfterAWhile() {
        Troubles troubles = new Troubles();
        Instant first = Instant.parse("2026-01-01T00:00:00Z");
        assertThat(troubles.line("a", "no contact", Optional.empty(), first)).contains("no contact");
        assertThat(troubles.line("a", "no contact", Optional.empty(), first.plusSeconds(599)))
                .isEmpty();
        assertThat(troubles.line("b", "no contact", Optional.empty(), first)).isPresent();
        assertThat(troubles.line("a", "no contact", Optional.empty(), first.plusSeconds(600)))
                .isPresent();
    }
}
