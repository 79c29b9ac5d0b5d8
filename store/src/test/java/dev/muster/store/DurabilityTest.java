package dev.muster.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Attempt;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.spi.JobStore;
import dev.muster.spi.JobStore.Query;
import dev.muster.testkit.SampleJobs;
import dev.muster.testkit.SampleSpecCodec;
import java.io.BufferedReader;
import java.io.File;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was acknowledged outlives kill -9, whole; what was not is there whole or not at all. */
final class DurabilityTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 50, 400})
    void a12_whatWasAcknowledgedOutlivesKill9(int lines) throws Exception {
        Map<String, Long> acknowledged = killedAfter(lines);
        assertThat(acknowledged).isNotEmpty();
        try (JobStore store = SqliteJobStore.open(folder, new SampleSpecCodec(), (job, why) -> {
            throw new AssertionError("job " + job + ": " + why);
        })) {
            acknowledged.forEach((id, version) -> assertThat(store.find(new JobId(id)))
                    .as(id)
                    .hasValueSatisfying(job -> assertThat(job.version()).isGreaterThanOrEqualTo(version)));
            for (JobRecord job : store.list(Query.newest(1_000_000)).jobs()) {
                assertWhole(store, job);
            }
            assertThat(store.accept(SampleJobs.queued("after", "after"), Map.of(), Optional.empty()))
                    .isEqualTo(new JobStore.Accepted.New(new JobId("after")));
        }
    }

    private static void assertWhole(JobStore store, JobRecord job) {
        List<String> steps =
                store.events(job.id(), 0, 99).stream().map(event -> event.to()).toList();
        assertThat(steps).as(job.id().value()).hasSize((int) job.version());
        assertThat(steps.getLast()).isEqualTo(job.state().text());
        if (job.version() > 1) {
            assertThat(job.processes()).extracting(Attempt::pid).containsExactly(OptionalLong.of(job.version()));
        }
        assertThat(store.secrets(job.id()))
                .isEqualTo(
                        job.state().isFinal()
                                ? Map.of()
                                : Map.of("TOKEN", job.id().value()));
    }

    private Map<String, Long> killedAfter(int lines) throws Exception {
        Process writer = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledWriter.class.getName(),
                        folder.toString())
                .redirectError(new File("/dev/null"))
                .start();
        Map<String, Long> acknowledged = new HashMap<>();
        try (BufferedReader said = writer.inputReader()) {
            int count = 0;
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                String[] parts = line.split(" ");
                if (parts.length == 2) {
                    acknowledged.put(parts[0], Long.parseLong(parts[1]));
                }
                count++;
                if (count == lines) {
                    // Not the process's own method: that closes its output, which is still to be read.
                    writer.toHandle().destroyForcibly();
                }
            }
        } finally {
            writer.destroyForcibly();
        }
        assertThat(writer.waitFor()).isEqualTo(128 + 9);
        return acknowledged;
    }
}
