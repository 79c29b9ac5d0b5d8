package dev.muster.server.failpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.control.Ports;
import dev.muster.model.JobState;
import dev.muster.server.config.SettingException;
import dev.muster.store.CommitHook;
import dev.muster.testkit.FakeCheckpoints;
import dev.muster.testkit.FakeEnvironments;
import dev.muster.testkit.FakeJobStore;
import dev.muster.testkit.FakeModels;
import dev.muster.testkit.FakeTelemetry;
import dev.muster.testkit.SampleJobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FailpointsTest {
    @TempDir
    private Path folder;

    private static Ports ports() {
        return new Ports(
                new FakeJobStore(),
                Map.of(),
                Map.of(),
                new FakeEnvironments(),
                new FakeCheckpoints(),
                new FakeModels(),
                new FakeTelemetry());
    }

    @Test
    void withoutTheVariableNothingStandsBetweenTheParts() throws SettingException {
        Failpoints off = Failpoints.of(Map.of("PATH", "/bin"));
        Ports ports = ports();
        assertThat(off.around(ports)).isSameAs(ports);
        assertThat(off.commits()).isSameAs(CommitHook.NONE);
    }

    @Test
    void eachChangingCallPassesAMomentBeforeAndOneAfter() throws SettingException, IOException {
        Path file = folder.resolve("passed");
        Failpoints on = Failpoints.of(Map.of("MUSTER_FAILPOINT", "record:" + file));
        Ports ports = on.around(ports());
        var job = SampleJobs.queued("job1", "one");
        ports.store().accept(job, Map.of(), Optional.empty());
        ports.store().find(job.id());
        ports.store().progress(job.id());
        ports.store().compareAndSet(SampleJobs.next(job, JobState.SUSPENDED), List.of());
        on.commits().before();
        on.commits().after();
        assertThat(Files.readAllLines(file))
                .containsExactly(
                        "JobStore.accept.Queued.before",
                        "JobStore.accept.Queued.after",
                        "JobStore.compareAndSet.Suspended.before",
                        "JobStore.compareAndSet.Suspended.after",
                        "commit.before",
                        "commit.after");
    }

    @Test
    void whatAPartThrowsComesThroughAsItIs() throws SettingException {
        Ports ports = Failpoints.of(Map.of("MUSTER_FAILPOINT", "slow:0")).around(ports());
        var job = SampleJobs.queued("job1", "one");
        ports.store().accept(job, Map.of(), Optional.empty());
        assertThatThrownBy(() -> ports.store().compareAndSet(SampleJobs.next(job, JobState.SUCCEEDED), List.of()))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void commitsCanBeMadeSlow() throws SettingException {
        CommitHook slow = Failpoints.of(Map.of("MUSTER_FAILPOINT", "slow:30")).commits();
        long begun = System.nanoTime();
        slow.before();
        slow.after();
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofMillis(30));
    }

    @Test
    void anUnknownWishIsRefused() {
        assertThatThrownBy(() -> Failpoints.of(Map.of("MUSTER_FAILPOINT", "stop:everything")))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("halt:NAME");
    }
}
