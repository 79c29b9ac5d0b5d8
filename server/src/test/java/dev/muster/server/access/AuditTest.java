package dev.muster.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.AuditDocument;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
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

    @Test
    void pagesGoBackFromTheNewestLineOverAllFiles() throws Exception {
        try (Audit audit = Audit.to(folder.resolve("audit.jsonl"), 500)) {
            assertThat(audit.before(OptionalLong.empty(), 10).lines()).isEmpty();
            for (int number = 0; number < 9; number++) {
                audit.add(entry("j" + number, 200, NOON.plusMillis(500L * number)));
            }
            AuditPage page = audit.before(OptionalLong.empty(), 4);
            assertThat(subjects(page)).containsExactly("j8", "j7", "j6", "j5");
            // What comes meanwhile, putting a file aside too, moves nothing.
            for (int number = 9; number < 14; number++) {
                audit.add(entry("j" + number, 200, NOON.plusMillis(500L * number)));
            }
            page = audit.before(page.next(), 3);
            assertThat(subjects(page)).containsExactly("j4", "j3", "j2");
            page = audit.before(page.next(), 3);
            assertThat(subjects(page)).containsExactly("j1", "j0");
            assertThat(page.next()).isEmpty();
            assertThat(subjects(audit.before(OptionalLong.of(Long.MAX_VALUE), 1)))
                    .containsExactly("j13");
        }
    }

    @Test
    void aLineLongerThanWhatIsReadAtOnceIsReadWhole() throws Exception {
        try (Audit audit = Audit.to(folder.resolve("audit.jsonl"))) {
            audit.add(entry("j".repeat(200_000), 200, NOON));
            audit.add(entry("short", 200, NOON));
            assertThat(audit.before(OptionalLong.empty(), 2).lines())
                    .extracting(line -> line.subject().length())
                    .containsExactly(5, 200_000);
        }
    }

    @Test
    void aLineThatWasCutShortHarmsNoOther() throws Exception {
        Path file = folder.resolve("audit.jsonl");
        Files.writeString(file, line("j1", "done", 200) + "\n{\"at\":\"2026-03-01T1");
        try (Audit audit = Audit.to(file)) {
            audit.add(entry("j2", 200));
            assertThat(subjects(audit.before(OptionalLong.empty(), 10))).containsExactly("j2", "j1");
        }
    }

    private static List<String> subjects(AuditPage page) {
        return page.lines().stream().map(AuditDocument::subject).toList();
    }

    private static Audit.Entry entry(String job, int status, Instant at) {
        return new Audit.Entry(at, "ci", "ann", "POST /v1/jobs/{job}/cancel", job, status);
    }

    private static Audit.Entry entry(String job, int status) {
        return new Audit.Entry(NOON, "ci", "ann", "POST /v1/jobs/{job}/cancel", job, status);
    }

    private static String line(String job, String outcome, int status) {
        return "{\"at\":\"2026-03-01T12:00:00Z\",\"token\":\"ci\",\"user\":\"ann\",\"action\":\"POST /v1/jobs/{job}/cancel\","
                + "\"subject\":\"" + job + "\",\"outcome\":\"" + outcome + "\",\"status\":" + status + "}";
    }
}
