package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Capacity;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.testkit.FakeProcess;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bounds of time: of the queue, the start, the training and its progress. */
final class DeadlineTest {
    private final World world = new World();

    @AfterEach
    void nothingViolated() {
        world.checkNothingViolated();
    }

    @Test
    void b37_a10_theDeadlineStopsAndFailsTheJob() {
        JobId id = world.submit(Spec.workers(2).deadline(Duration.ofSeconds(3)));
        JobRecord end = world.untilFinal(id);
        assertThat(end.state()).isEqualTo(JobState.FAILED);
        assertThat(end.status().reason()).contains("DeadlineExceeded: ran longer than deadline (3s)");
        Duration ran = Duration.between(
                end.times().startedAt().orElseThrow(), end.times().finishedAt().orElseThrow());
        assertThat(ran).isBetween(Duration.ofSeconds(3), Duration.ofMillis(3100));
        assertThat(world.backend.alive(id)).isEmpty();
    }

    @Test
    void b37_aJobThatIsNeverPlacedIsBoundByQueueDeadlineOnly() {
        world.backend.capacity(new Capacity(2, 1000, 1, 0));
        JobId first = world.submit(Spec.workers(2).named("first"));
        JobId waits = world.submit(Spec.workers(1).named("waits").deadline(Duration.ofSeconds(3)));
        JobId ends = world.submit(Spec.workers(1).named("ends").queueDeadline(Duration.ofSeconds(30)));
        world.until(first, JobState.RUNNING);
        JobRecord end = world.untilFinal(ends);
        assertThat(end.status().cause()).contains(Cause.DEADLINE_EXCEEDED);
        assertThat(Duration.between(
                        end.times().submittedAt(), end.times().finishedAt().orElseThrow()))
                .isEqualTo(Duration.ofSeconds(30));
        assertThat(world.job(waits).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void theDeadlineRunsOnThroughRestarts() {
        world.otherwise(FakeProcess.exits(137, Duration.ofSeconds(4)));
        JobId id = world.submit(Spec.workers(1).restarts(100).deadline(Duration.ofSeconds(60)));
        JobRecord end = world.untilFinal(id);
        assertThat(end.status().cause()).contains(Cause.DEADLINE_EXCEEDED);
        assertThat(Duration.between(
                        end.times().startedAt().orElseThrow(),
                        end.times().finishedAt().orElseThrow()))
                .isBetween(Duration.ofSeconds(60), Duration.ofSeconds(61));
    }

    @Test
    void b36_theDeadlineStandsStillWhileSuspended() {
        JobId id = world.submit(Spec.workers(1).deadline(Duration.ofSeconds(60)).grace(Duration.ofSeconds(1)));
        world.until(id, JobState.RUNNING);
        world.pass(Duration.ofSeconds(20));
        world.jobs.suspend(id);
        world.until(id, JobState.SUSPENDED);
        Duration used = world.job(id).times().runningFor();
        assertThat(used).as("20 s and its way out").isBetween(Duration.ofSeconds(20), Duration.ofSeconds(23));
        world.pass(Duration.ofHours(1));
        assertThat(world.job(id).state()).isEqualTo(JobState.SUSPENDED);
        world.jobs.resume(id, java.util.Optional.empty());
        Instant again = world.until(id, JobState.RUNNING).times().runningSince().orElseThrow();
        JobRecord end = world.untilFinal(id);
        assertThat(end.status().cause()).contains(Cause.DEADLINE_EXCEEDED);
        assertThat(Duration.between(again, end.times().finishedAt().orElseThrow()))
                .isBetween(
                        Duration.ofSeconds(60).minus(used),
                        Duration.ofSeconds(61).minus(used));
    }

    @Test
    void b36_aJobSubmittedSuspendedHasNoClockAndIsNeverRunning() {
        JobId id = world.submit(Spec.workers(1).suspended().deadline(Duration.ofSeconds(5)));
        world.pass(Duration.ofSeconds(10));
        assertThat(world.job(id).state()).isEqualTo(JobState.SUSPENDED);
        assertThat(world.backend.launches()).isEmpty();
        world.jobs.resume(id, java.util.Optional.empty());
        world.until(id, JobState.RUNNING);
        JobRecord end = world.untilFinal(id);
        assertThat(Duration.between(
                        end.times().startedAt().orElseThrow(),
                        end.times().finishedAt().orElseThrow()))
                .isBetween(Duration.ofSeconds(5), Duration.ofMillis(5100));
    }

    @Test
    void b12_a24_whoDoesNotJoinIsNamedAndTheOthersAreStopped() {
        JobId id = world.nextId();
        world.script(id, "worker-2", 1, FakeProcess.runs().neverJoining());
        world.submit(Spec.workers(3).startDeadline(Duration.ofSeconds(10)).restarts(3));
        JobRecord end = world.untilFinal(id);
        assertThat(end.state()).isEqualTo(JobState.FAILED);
        assertThat(end.status().cause()).contains(Cause.START_TIMEOUT);
        assertThat(end.status().reason()).contains("StartTimeout: worker-2 did not join within startDeadline (10s)");
        assertThat(end.counters().restarts()).isZero();
        assertThat(Duration.between(
                        end.times().admittedAt().orElseThrow(),
                        end.times().finishedAt().orElseThrow()))
                .isBetween(Duration.ofSeconds(10), Duration.ofMillis(10_100));
    }

    @Test
    void b12_aMemberThatExitsZeroBeforeItJoinedIsMissingToo() {
        JobId id = world.nextId();
        world.script(
                id, "worker-2", 1, FakeProcess.exits(0, Duration.ofSeconds(1)).neverJoining());
        world.submit(Spec.workers(3).startDeadline(Duration.ofSeconds(10)));
        JobRecord end = world.untilFinal(id);
        assertThat(end.status().reason().orElseThrow()).contains("worker-2 (ended with exit code 0) did not join");
    }

    @Test
    void b11_waitingForPeersIsNotCountedAsRestart() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.runs().joining(Duration.ofSeconds(20)));
        world.submit(Spec.workers(3).restarts(1));
        world.until(id, JobState.RUNNING);
        assertThat(world.job(id).counters()).isEqualTo(new JobRecord.Counters(1, 0, 0));
    }

    @Test
    void theStartDeadlineRunsAnewForEachAttempt() {
        world.otherwise(FakeProcess.exits(137, Duration.ofSeconds(7)).joining(Duration.ofSeconds(6)));
        JobId id = world.submit(Spec.workers(1).restarts(2).startDeadline(Duration.ofSeconds(10)));
        JobRecord end = world.untilFinal(id);
        assertThat(end.status().cause()).contains(Cause.KILLED);
        assertThat(end.counters().restarts()).isEqualTo(2);
    }

    @Test
    void theStartDeadlineCoversThePreparation() {
        JobId id = world.submit(Spec.workers(1).startDeadline(Duration.ofSeconds(10)));
        world.workWithoutSlow();
        world.clock.advance(Duration.ofSeconds(10));
        world.workWithoutSlow();
        assertThat(world.job(id).status().reason().orElseThrow())
                .contains("StartTimeout: the environment was not ready (preparing the environment)");
        assertThat(world.untilFinal(id).state()).isEqualTo(JobState.FAILED);
    }

    @Test
    void withoutProgressForStallTimeoutTheGroupIsRestarted() {
        JobId id = world.submit(Spec.workers(2).restarts(1).stallTimeout(Duration.ofSeconds(60)));
        world.until(id, JobState.RUNNING);
        world.pass(Duration.ofSeconds(50));
        world.telemetry.says(id, Said.step(7));
        world.pass(Duration.ofSeconds(50));
        assertThat(world.job(id).state()).isEqualTo(JobState.RUNNING);
        world.pass(Duration.ofSeconds(12));
        assertThat(world.job(id).counters().restarts()).isEqualTo(1);
        JobRecord end = world.untilFinal(id);
        assertThat(end.status().cause()).contains(Cause.STALLED);
        assertThat(end.status().reason().orElseThrow()).contains("restart limit reached");
    }
}
