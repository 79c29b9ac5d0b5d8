package dev.muster.artifacts.python;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.artifacts.files.Lease;
import dev.muster.model.EnvironmentSpec;
import dev.muster.model.Origin;
import dev.muster.spi.PythonEnvironments;
import dev.muster.spi.PythonEnvironments.Use;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Environments that nobody uses go; made by hand here, for nothing in them matters but where they lie. */
class UnusedEnvironmentsTest {
    private static final EnvironmentSpec SPEC = TestPython.with(Optional.of("r.txt"), Optional.empty(), false);

    @TempDir
    Path home;

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private VirtualEnvironments environments;

    @BeforeEach
    void open() {
        environments = new VirtualEnvironments(home, () -> now, Map.of(), task -> {});
    }

    private static Origin origin(String requirements) {
        return TestPython.origin(TestPython.onPath(), Map.of("r.txt", requirements));
    }

    private static Use use(String requirements) {
        return new Use(SPEC, origin(requirements));
    }

    private Path folder(String requirements) throws Exception {
        return Path.of(environments.locate(SPEC, origin(requirements)).env().get("VIRTUAL_ENV"));
    }

    private Path built(String requirements) throws Exception {
        Path folder = folder(requirements);
        Files.createDirectories(folder.resolve("bin"));
        Files.writeString(folder.resolve("bin/python"), "");
        Files.writeString(folder.resolveSibling(folder.getFileName() + ".log"), "pip said");
        Files.writeString(folder.resolve(".muster-complete"), "on disk");
        prepare(requirements);
        return folder;
    }

    private void prepare(String requirements) throws Exception {
        environments.prepare(SPEC, origin(requirements), line -> {});
    }

    private void later(Duration time) {
        now = now.plus(time);
    }

    @Test
    void whatNoJobHasUsedForThirtyDaysGoesWithItsLog() throws Exception {
        assertThat(PythonEnvironments.KEPT).isEqualTo(Duration.ofDays(30));
        Path old = built("alpha\n");
        later(Duration.ofDays(20));
        Path newer = built("beta\n");
        later(Duration.ofDays(10).minusSeconds(1));
        environments.removeUnused(List.of());
        assertThat(old).isDirectory();
        later(Duration.ofSeconds(1));
        environments.removeUnused(List.of());
        assertThat(old).doesNotExist();
        assertThat(old.resolveSibling(old.getFileName() + ".log")).doesNotExist();
        assertThat(newer.resolve("bin/python")).exists();
        assertThat(home.resolve("envs")).isDirectoryNotContaining("glob:**/.removing-*");
    }

    @Test
    void eachJobThatIsGivenOneBeginsItsTimeAnew() throws Exception {
        Path folder = built("alpha\n");
        later(Duration.ofDays(29));
        prepare("alpha\n");
        later(Duration.ofDays(29));
        environments.removeUnused(List.of());
        assertThat(folder).isDirectory();
        later(Duration.ofDays(1));
        environments.removeUnused(List.of());
        assertThat(folder).doesNotExist();
    }

    @Test
    void whatALiveJobUsesStaysAndItsTimeBeginsWhenNoneDoes() throws Exception {
        Path folder = built("alpha\n");
        later(Duration.ofDays(300));
        environments.removeUnused(List.of(use("alpha\n"), new Use(EnvironmentSpec.NONE, origin(""))));
        assertThat(folder).isDirectory();
        later(Duration.ofDays(29));
        environments.removeUnused(List.of());
        assertThat(folder).isDirectory();
        later(Duration.ofDays(1));
        environments.removeUnused(List.of());
        assertThat(folder).doesNotExist();
    }

    @Test
    void nothingGoesWhileItCannotBeToldWhatALiveJobUses() throws Exception {
        Path folder = built("alpha\n");
        later(Duration.ofDays(31));
        Use unknown = new Use(TestPython.with(Optional.of("lost.txt"), Optional.empty(), false), origin(""));
        environments.removeUnused(List.of(unknown));
        assertThat(folder).isDirectory();
    }

    @Test
    void whatAProcessRunsInStaysThoughNoJobIsKnownToUseIt() throws Exception {
        Path folder = built("alpha\n");
        later(Duration.ofDays(31));
        ProcessBuilder sleeps = new ProcessBuilder("sleep", "60");
        sleeps.environment().put("VIRTUAL_ENV", folder.toString());
        Process process = sleeps.start();
        try {
            environments.removeUnused(List.of());
            assertThat(folder).isDirectory();
        } finally {
            process.destroyForcibly().waitFor();
        }
        environments.removeUnused(List.of());
        assertThat(folder).doesNotExist();
    }

    @Test
    void whatIsBeingMadeOrGivenToAJobStays() throws Exception {
        Path folder = built("alpha\n");
        later(Duration.ofDays(31));
        try (Lease _ = Lease.take(folder.resolveSibling(folder.getFileName() + ".lock"))) {
            environments.removeUnused(List.of());
            assertThat(folder).isDirectory();
        }
    }

    @Test
    void halfBuiltOnesAndWhatAKillLeftOfARemovalGoAndNothingElseDoes() throws Exception {
        now = Instant.now().plus(Duration.ofDays(31));
        Path half = Files.createDirectories(folder("alpha\n").resolve("lib")).getParent();
        Path left =
                Files.createDirectories(home.resolve("envs/.removing-0123/lib")).getParent();
        Path wrapper = Files.createDirectories(home.resolve("envs/python-0123456789abcdef01234567"));
        Path others = Files.createDirectories(home.resolve("envs/mine"));
        environments.removeUnused(List.of());
        assertThat(half).doesNotExist();
        assertThat(left).doesNotExist();
        assertThat(wrapper).isDirectory();
        assertThat(others).isDirectory();
    }

    @Test
    void aHomeWithoutEnvironmentsHasNothingToRemove() throws Exception {
        environments.removeUnused(List.of());
        assertThat(home.resolve("envs")).doesNotExist();
    }
}
