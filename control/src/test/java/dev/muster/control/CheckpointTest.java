package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Checkpoint;
import dev.muster.model.JobId;
import dev.muster.model.JobState;
import dev.muster.model.Progress;
import dev.muster.spi.CheckpointCatalogue;
import dev.muster.spi.JobStore;
import dev.muster.spi.Telemetry;
import dev.muster.testkit.FakeProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What processes say on the way: reported checkpoints and progress. */
final class CheckpointTest {
    private final World world = new World();

    @AfterEach
    void nothingViolated() {
        world.checkNothingViolated();
    }

    @Test
    void a47_reportedCheckpointsArePrunedAtOnce() {
        JobId id = world.submit(Spec.workers(1).keepCheckpoints(2));
        world.until(id, JobState.RUNNING);
        world.checkpoints.save(id, 10);
        world.checkpoints.save(id, 20);
        world.checkpoints.save(id, 30);
        world.telemetry.says(id, Said.checkpoints("step-10", "step-20", "step-30"));
        world.settle();
        assertThat(world.checkpoints.list(id)).extracting(Checkpoint::name).containsExactly("step-30", "step-20");
        assertThat(world.checkpoints.reported(id)).containsExactly("step-10", "step-20", "step-30");
        world.checkpoints.save(id, 40);
        world.telemetry.says(id, Said.checkpoints("step-20", "step-30", "step-40"));
        world.settle();
        assertThat(world.checkpoints.reported(id))
                .endsWith("step-30", "step-40")
                .hasSize(4);
    }

    @Test
    void checkpointsThatNobodyReportedArePrunedWhenTheJobEnds() {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId id = world.submit(Spec.workers(1).keepCheckpoints(1));
        world.checkpoints.save(id, 10);
        world.checkpoints.save(id, 20);
        world.untilFinal(id);
        assertThat(world.checkpoints.list(id)).extracting(Checkpoint::name).containsExactly("step-20");
    }

    @Test
    void whatWasSavedAtTheVeryEndIsCountedWhenTheJobEnds() {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId id = world.submit(Spec.workers(1).keepCheckpoints(2));
        world.checkpoints.save(id, 10);
        world.checkpoints.save(id, 20);
        world.checkpoints.saveJustNow(id, 30);
        world.untilFinal(id);
        assertThat(world.checkpoints.names(id)).containsExactly("step-30", "step-20");
    }

    @Test
    void b62_checkpointsOfARunningJobThatReportsNoneAreSeenAndPrunedSoon() {
        JobId id = world.submit(Spec.workers(1).keepCheckpoints(2));
        world.until(id, JobState.RUNNING);
        for (int step = 1; step <= 5; step++) {
            world.checkpoints.save(id, step);
        }
        world.pass(Duration.ofSeconds(16));
        assertThat(world.checkpoints.names(id)).containsExactly("step-5", "step-4");
        int seen = world.checkpoints.lists(id);
        world.pass(Duration.ofMinutes(1));
        assertThat(world.checkpoints.lists(id) - seen).as("looks in a minute").isBetween(4, 6);
    }

    @Test
    void checkpointsOfAJobThatKeepsAllAreSeenButStay() {
        JobId id = world.submit(Spec.workers(1));
        world.until(id, JobState.RUNNING);
        world.checkpoints.save(id, 1);
        world.checkpoints.save(id, 2);
        world.pass(Duration.ofSeconds(16));
        assertThat(world.checkpoints.lists(id)).isPositive();
        assertThat(world.checkpoints.names(id)).hasSize(2);
    }

    @Test
    void aSlowLookAtCheckpointsHoldsUpNeitherItsJobNorItsNextLook() {
        JobId id = world.submit(Spec.workers(1).keepCheckpoints(1));
        world.until(id, JobState.RUNNING);
        for (int second = 0; second < 60; second++) {
            world.clock.advance(Duration.ofSeconds(1));
            world.workWithoutSlow();
        }
        assertThat(world.slow).as("looks that were begun").hasSize(1);
        world.jobs.cancel(id);
        for (int second = 0; second < 10; second++) {
            world.workWithoutSlow();
            world.clock.advance(Duration.ofSeconds(1));
        }
        assertThat(world.job(id).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void aLookAtCheckpointsThatFailsIsToldAndTriedAgain() {
        boolean[] broken = {true};
        world.wrap(new World.Wrapper() {
            @Override
            public <T> T around(Class<T> port, T target) {
                if (port != CheckpointCatalogue.class) {
                    return target;
                }
                return port.cast(Proxy.newProxyInstance(
                        port.getClassLoader(), new Class<?>[] {port}, (proxy, method, arguments) -> {
                            if (broken[0] && method.getName().equals("list")) {
                                throw new UncheckedIOException(new IOException("the folder cannot be read"));
                            }
                            return method.invoke(target, arguments);
                        }));
            }
        });
        world.boot();
        JobId id = world.submit(Spec.workers(1).keepCheckpoints(1));
        world.until(id, JobState.RUNNING);
        world.checkpoints.save(id, 1);
        world.checkpoints.save(id, 2);
        world.pass(Duration.ofSeconds(30));
        assertThat(world.troubles).anyMatch(trouble -> trouble.startsWith("looking at the checkpoints of job " + id));
        assertThat(world.job(id).state()).isEqualTo(JobState.RUNNING);
        broken[0] = false;
        world.pass(Duration.ofSeconds(16));
        assertThat(world.checkpoints.names(id)).containsExactly("step-2");
    }

    @Test
    void allAreKeptUnlessAsked() {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId id = world.submit(Spec.workers(1));
        world.checkpoints.save(id, 10);
        world.checkpoints.save(id, 20);
        world.untilFinal(id);
        assertThat(world.checkpoints.list(id)).hasSize(2);
    }

    @Test
    void whatProcessesSayIsNoReasonToLookAtTheBackendEachTime() {
        JobId id = world.submit(Spec.workers(1));
        world.until(id, JobState.RUNNING);
        int[] looks = {0};
        world.backend.before(call -> looks[0] += call.op() == dev.muster.testkit.FakeBackend.Op.OBSERVE ? 1 : 0);
        for (int step = 1; step <= 300; step++) {
            world.telemetry.says(id, Said.step(step));
            world.pass(Duration.ofMillis(100));
        }
        assertThat(looks[0]).as("in 30 s").isBetween(5, 8);
    }

    @Test
    void reportsThatWereRefusedAreAmongTheEventsEachKindOnce() {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(60)));
        JobId id = world.submit(Spec.workers(1));
        world.until(id, JobState.RUNNING);
        world.telemetry.says(id, refused(id, "too long"));
        world.pass(Duration.ofSeconds(10));
        world.telemetry.says(id, refused(id, "too long", "no JSON"));
        world.pass(Duration.ofSeconds(10));
        world.untilFinal(id);
        assertThat(world.store.events(id, 0, 100))
                .filteredOn(event -> event.from().equals(Optional.of(event.to())))
                .extracting(event -> event.process().orElseThrow() + " " + event.to() + " "
                        + event.reason().orElseThrow())
                .containsExactly("worker-0 Running too long", "worker-0 Running no JSON");
    }

    private static Telemetry.Signs refused(JobId id, String... why) {
        return new Telemetry.Signs(
                Set.of(),
                Map.of(),
                Progress.NONE,
                0,
                List.of(),
                Map.of(),
                Map.of(World.key(id, "worker-0", 1), List.of(why)));
    }

    @Test
    void progressIsStoredAtMostOnceASecondAndAtTheEnd() {
        int[] writes = {0};
        world.store.before(call -> writes[0] += call == dev.muster.testkit.FakeJobStore.Call.PROGRESS ? 1 : 0);
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(10)));
        JobId id = world.submit(Spec.workers(1));
        world.until(id, JobState.RUNNING);
        for (int step = 1; step <= 90; step++) {
            world.telemetry.says(id, Said.step(step));
            world.pass(Duration.ofMillis(100));
        }
        assertThat(writes[0]).isBetween(8, 10);
        world.telemetry.says(id, Said.step(91));
        world.untilFinal(id);
        JobStore.Seen seen = world.store.progress(id).orElseThrow();
        assertThat(seen.progress()).isEqualTo(Said.progress(91));
        assertThat(world.jobs.get(id).orElseThrow().progress()).isEqualTo(Said.progress(91));
    }
}
