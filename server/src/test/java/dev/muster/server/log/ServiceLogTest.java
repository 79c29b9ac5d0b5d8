package dev.muster.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceLogTest {
    @TempDir
    private Path folder;

    @Test
    void itsSizeIsBoundedAndTheNewestLinesStay() throws Exception {
        Path file = folder.resolve("logs/service.log");
        try (ServiceLog log = new ServiceLog(file, 1000)) {
            for (int line = 0; line < 200; line++) {
                log.write("line " + line, Optional.empty());
            }
        }
        assertThat(Files.size(file)).isLessThanOrEqualTo(1000);
        assertThat(Files.size(folder.resolve("logs/service.log.1"))).isLessThanOrEqualTo(1000);
        assertThat(Files.list(folder.resolve("logs"))).hasSize(2);
        assertThat(Files.readString(file)).endsWith("line 199\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void controlCharactersAreShownNotWritten() throws Exception {
        Path file = folder.resolve("service.log");
        try (ServiceLog log = new ServiceLog(file, 1000)) {
            log.write("a\0b\u001b[31m\r\tü", Optional.of(new IllegalStateException("in\0side")));
        }
        assertThat(Files.readString(file))
                .startsWith("a\\x00b\\x1b[31m\\x0d\tü\n")
                .contains("in\\x00side")
                .doesNotContain("\0");
    }

    @Test
    void itGoesOnWhereAnEarlierServiceStopped() throws Exception {
        Path file = folder.resolve("service.log");
        for (int service = 0; service < 2; service++) {
            try (ServiceLog log = new ServiceLog(file, 1000)) {
                log.write("service " + service, Optional.empty());
            }
        }
        assertThat(Files.readString(file)).contains("service 0\n").endsWith("service 1\n");
    }

    @Test
    void librariesAreHeardOnlyWhenSomethingIsWrong() throws Exception {
        Path file = folder.resolve("service.log");
        System.Logger library =
                new ServiceLoggers().getLogger("io.library", getClass().getModule());
        System.Logger ours =
                new ServiceLoggers().getLogger("dev.muster.Any", getClass().getModule());
        try (ServiceLog log = new ServiceLog(file, 10_000)) {
            ServiceLoggers.writeTo(log);
            library.log(Level.INFO, "started");
            library.log(Level.WARNING, "odd {0}", 7);
            ours.log(Level.INFO, "kept {0} %s");
            ours.log(Level.DEBUG, "detail");
            ours.log(Level.ERROR, "fault 1", new IllegalStateException("inside"));
        }
        ours.log(Level.ERROR, "too late");
        assertThat(Files.readString(file))
                .matches("(?s)\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z WARNING io.library: odd 7\n.*")
                .doesNotContain("started", "detail", "too late")
                .contains("INFO dev.muster.Any: kept {0} %s\n")
                .contains("fault 1\njava.lang.IllegalStateException: inside\n\tat ");
    }

    @Test
    void everyLoggerOfThisJvmIsOurs() {
        assertThat(System.getLogger("any").getName()).isEqualTo("any");
        assertThat(System.LoggerFinder.getLoggerFinder()).isInstanceOf(ServiceLoggers.class);
    }
}
