package dev.muster.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.BackendKind;
import dev.muster.model.Problem;
import dev.muster.model.Resources;
import dev.muster.spi.Backend.StopHow;
import dev.muster.spi.JobFolders;
import dev.muster.spi.Sighting.Seen;
import dev.muster.testkit.Await;
import dev.muster.testkit.BackendTrial;
import dev.muster.testkit.TrialJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Limits of memory and processor time. Where the service may make control groups they hold; elsewhere such a job is refused, and that is
 * what is tested there.
 */
class LimitsTest extends BackendTrial {
    private static final String EAT = "import sys, time; print('ready', flush=True); b = []\n"
            + "while True: b.append(bytearray(8 << 20)); time.sleep(0.01)";
    /** Prints the part of a core it got, for stretches of 2 s. */
    private static final String BURN = "import time\n"
            + "while True:\n"
            + "  wall, cpu = time.monotonic(), time.process_time()\n"
            + "  while time.monotonic() - wall < 2: pass\n"
            + "  print((time.process_time() - cpu) / (time.monotonic() - wall), flush=True)";

    @TempDir
    private Path folder;

    private LocalPlace place() {
        return new LocalPlace(folder, UnaryOperator.identity());
    }

    @Override
    protected LocalBackend open() {
        return new LocalBackend(place().config());
    }

    @Override
    protected BackendKind kind() {
        return BackendKind.LOCAL;
    }

    @Override
    protected JobFolders folders() {
        return place().folders();
    }

    private boolean isRefused(TrialJob job, String field, boolean limited) {
        List<String> fields =
                backend.check(job.spec()).stream().map(Problem::field).toList();
        assertThat(fields).isEqualTo(limited ? List.of() : List.of(field));
        return !limited;
    }

    @Test
    void memoryBeyondTheLimitIsOutOfMemoryAndTheNeighbourUnharmed() throws Exception {
        Resources limits = new Resources(OptionalInt.empty(), OptionalLong.of(64 << 20), 0);
        TrialJob job = job("").withArgv("python3", "-c", EAT).withResources(limits);
        if (isRefused(job, "resources.memory", place().config().cgroups().limitsMemory())) {
            return;
        }
        TrialJob neighbour = job("").withArgv("python3", "-c", "import time; b = bytearray(32 << 20); time.sleep(600)")
                .withResources(limits);
        start(neighbour);
        Seen.Running beside = awaitRunning(neighbour.key(0, 1));
        start(job);
        awaitLog(job.key(0, 1), "ready");
        long begun = System.nanoTime();
        Seen.Ended end = awaitEnd(job.key(0, 1));
        // Within 5 s where the machine has time for it.
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(15));
        assertThat(end.outOfMemory()).isTrue();
        assertThat(end.code()).isEqualTo(137);
        assertThat(awaitRunning(neighbour.key(0, 1)).pid()).isEqualTo(beside.pid());
        backend.stop(neighbour.key(0, 1), StopHow.KILL);
        Seen.Ended killed = awaitEnd(neighbour.key(0, 1));
        assertThat(killed.code()).isEqualTo(137);
        assertThat(killed.outOfMemory()).as("killed by us, not for its memory").isFalse();
    }

    @Test
    void aLimitOfHalfACpuGetsHalfACore() throws Exception {
        TrialJob job = job("").withArgv("python3", "-c", BURN)
                .withResources(new Resources(OptionalInt.of(500), OptionalLong.empty(), 0));
        if (isRefused(job, "resources.cpus", place().config().cgroups().limitsCpu())) {
            return;
        }
        start(job);
        awaitRunning(job.key(0, 1));
        Path group = groups(job).stream()
                .filter(folder -> folder.kind() != CgroupFolder.Kind.FREEZER)
                .findFirst()
                .orElseThrow()
                .path();
        // It never gets more. That it gets as much on a busy machine too, its group goes before all others for a while.
        try (Weight own = new Weight(group);
                Weight all = new Weight(group.getParent())) {
            own.raise();
            all.raise();
            Await.until("it gets half a core", Duration.ofSeconds(60), () -> {
                List<Double> parts =
                        log(job.key(0, 1)).lines().map(Double::valueOf).toList();
                assertThat(parts).allMatch(part -> part <= 0.55);
                return parts.stream().anyMatch(part -> part >= 0.45);
            });
        }
        backend.remove(job.id());
    }

    /** The weight of a group against others, put back in the end. */
    private static final class Weight implements AutoCloseable {
        private final Path file;
        private final String before;
        private final String most;

        Weight(Path group) throws IOException {
            boolean version1 = Files.exists(group.resolve("cpu.shares"));
            file = group.resolve(version1 ? "cpu.shares" : "cpu.weight");
            before = Files.readString(file).strip();
            most = version1 ? "262144" : "10000";
        }

        void raise() throws IOException {
            Files.writeString(file, most);
        }

        @Override
        public void close() throws IOException {
            Files.writeString(file, before);
        }
    }

    private List<CgroupFolder> groups(TrialJob job) throws IOException {
        return new AttemptFolder(folders().process(job.key(0, 1)))
                .facts()
                .orElseThrow()
                .cgroups();
    }

    @Test
    void groupsAreGoneWithTheSweep() throws Exception {
        Resources limits = new Resources(OptionalInt.of(500), OptionalLong.of(64 << 20), 0);
        TrialJob job = job("sleep 600 & exit 0").withResources(limits);
        if (!backend.check(job.spec()).isEmpty()) {
            return;
        }
        start(job);
        awaitEnd(job.key(0, 1));
        List<CgroupFolder> groups = groups(job);
        assertThat(groups).isNotEmpty().allMatch(group -> Files.exists(group.path()));
        backend.sweep(job.key(0, 1));
        assertThat(groups).noneMatch(group -> Files.exists(group.path()));
    }
}
