package dev.muster.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTimesTest {
    private static final Instant FIRST = Instant.ofEpochMilli(1_000_000);

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("a1.log.times");
    }

    @Test
    void aByteHasTheTimeAtWhichItWasFirstSeen() throws IOException {
        try (LogTimes.Writer writer = new LogTimes.Writer(file);
                LogTimes.Reader reader = new LogTimes.Reader(file)) {
            assertThat(reader.of(0)).isEmpty();
            writer.seen(10, FIRST);
            writer.seen(10, FIRST.plusSeconds(1));
            writer.seen(25, FIRST.plusSeconds(2));
            reader.grown();
            assertThat(reader.of(0)).contains(FIRST);
            assertThat(reader.of(9)).contains(FIRST);
            assertThat(reader.of(10)).contains(FIRST.plusSeconds(2));
            assertThat(reader.of(25)).isEmpty();
            writer.seen(26, FIRST.plusSeconds(3));
            reader.grown();
            assertThat(reader.of(25)).contains(FIRST.plusSeconds(3));
        }
        assertThat(Files.size(file)).isEqualTo(3 * 16);
    }

    @Test
    void itGoesOnAfterARestartAndAPairCutShortIsForgotten() throws IOException {
        try (LogTimes.Writer writer = new LogTimes.Writer(file)) {
            writer.seen(10, FIRST);
        }
        Files.write(file, new byte[] {0, 0, 0, 0, 0, 0, 0, 99, 1}, StandardOpenOption.APPEND);
        try (LogTimes.Reader reader = new LogTimes.Reader(file)) {
            assertThat(reader.of(5)).contains(FIRST);
            assertThat(reader.of(50)).isEmpty();
        }
        try (LogTimes.Writer writer = new LogTimes.Writer(file)) {
            writer.seen(7, FIRST.plusSeconds(9));
            writer.seen(20, FIRST.minusSeconds(9));
        }
        try (LogTimes.Reader reader = new LogTimes.Reader(file)) {
            assertThat(reader.of(15)).contains(FIRST);
        }
        assertThat(Files.size(file)).isEqualTo(2 * 16);
    }

    @Test
    void aMissingIndexSaysNothing() throws IOException {
        try (LogTimes.Reader reader = new LogTimes.Reader(file)) {
            assertThat(reader.of(0)).isEmpty();
        }
    }
}
