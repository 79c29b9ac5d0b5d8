package dev.muster.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
}
