package dev.muster.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file that tells who changed what. */
class AuditTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    @TempDir
    private Path folder;

    @Test
    void itIsOnlyAppendedToAndReadableByItsOwnerAlone() throws Exception {
        Path file = folder.resolve("logs/audit.jsonl");
        try (Audit audit = Audit.to(file)) {
            audit.add(entry("j1", 200));
        }
        try (Audit audit = Audit.to(file)) {
            audit.add(entry("j2", 403));
            audit.add(entry("j3", 0));
        }
        assertThat(Files.readAllLines(file))
                .containsExactly(line("j1", "done", 200), line("j2", "refused", 403), line("j3", "unknown", 0));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void aFullFileIsPutAsideAndNothingIsLost() throws Exception {
        Path file = folder.resolve("audit.jsonl");
        try (Audit audit = Audit.to(file, 300)) {
            for (int number = 0; number < 10; number++) {
                audit.add(new Audit.Entry(NOON.plusSeconds(number), "ann", "ann", "x", "/x", 200));
            }
        }
        try (var files = Files.list(folder)) {
            long lines = 0;
            for (Path each : files.toList()) {
                lines += Files.readAllLines(each).size();
                assertThat(Files.size(each)).isLessThanOrEqualTo(300);
            }
            assertThat(lines).isEqualTo(10);
        }
    }

    private static Audit.Entry entry(String job, int status) {
        return new Audit.Entry(NOON, "ci", "ann", "POST /v1/jobs/{job}/cancel", job, status);
    }

    private static String line(String job, String outcome, int status) {
        return "{\"at\":\"2026-03-01T12:00:00Z\",\"token\":\"ci\",\"user\":\"ann\",\"action\":\"POST /v1/jobs/{job}/cancel\","
                + "\"subject\":\"" + job + "\",\"outcome\":\"" + outcome + "\",\"status\":" + status + "}";
    }
}
