package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Attempt;
import dev.muster.model.Capacity;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.ProcessName;
import dev.muster.spi.Telemetry.Pace;
import dev.muster.spi.Telemetry.Rhythm;
import dev.muster.spi.Telemetry.Signs;
import dev.muster.testkit.FakeProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Suspend, resume, preemption. */
final class PauseTest {
    private final World world = new World();

    @AfterEach
    void nothingViolated() {
        world.checkNothingViolated();
    }

    @Test
    void suspendLetsTheRanksLeaveAfterOneStepAndResumeGoesOnFromTheCheckpoint() {
        world.otherwise(FakeProcess.runs().leavingOnStopFile(Duration.ofSeconds(2)));
        JobId id = world.submit(Spec.workers(2).restarts(1));
        world.until(id, JobState.RUNNING);
        world.telemetry.says(id, Said.step(100));
        world.pass(Duration.ofSeconds(1));
        assertThat(world.jobs.suspend(id)).isEqualTo(new Jobs.Result.Done());
        world.settle();
        assertThat(world.files.stops).containsEntry(id, 131L);
        world.checkpoints.save(id, 131);

        JobRecord suspended = world.until(id, Duration.ofSeconds(3), job -> job.state() == JobState.SUSPENDED);
        assertThat(suspended.processes())
                .allMatch(process -> process.stopAsked().isEmpty());
        assertThat(world.backend.holds(id)).isFalse();
        assertThat(suspended.times().runningSince()).isEmpty();

        world.jobs.resume(id, Optional.empty());
        JobRecord again = world.until(id, JobState.RUNNING);
        assertThat(again.counters()).isEqualTo(new JobRecord.Counters(2, 0, 0));
        assertThat(again.processes()).extracting(Attempt::attempt).containsOnly(2);
        assertThat(again.resumeFrom()).contains("/checkpoints/" + id + "/step-131");
        assertThat(world.files.stops).isEmpty();
    }

    @Test
    void theStopFilePointsAheadOfTheFastestRankThoughNobodySaysHowManyStepsThereAre() {
        world.otherwise(FakeProcess.runs().leavingOnStopFile(Duration.ofSeconds(2)));
        JobId id = world.submit(Spec.workers(2));
        world.until(id, JobState.RUNNING);
        Rhythm twentyASecond = new Rhythm(Duration.ofMillis(50), Duration.ofMillis(500), Duration.ofSeconds(1), 9);
        Instant seen = world.clock.now();
        world.telemetry.says(
                id,
                new Signs(
                        Set.of(),
                        Map.of(),
                        Said.progress(90),
                        0,
                        List.of(),
                        Map.of(
                                World.key(id, "worker-0", 1),
                                new Pace(90, seen, OptionalLong.empty(), Optional.of(twentyASecond)),
                                World.key(id, "worker-1", 1),
                                new Pace(100, seen, OptionalLong.empty(), Optional.of(twentyASecond))),
                        Map.of()));
        world.pass(Duration.ofSeconds(5));

        world.jobs.suspend(id);
        world.settle();

        // 100, half a second that it usually goes on before it says so, three more until the file is read, and one.
        assertThat(world.files.stops).containsEntry(id, 171L);
    }

    @Test
    void whoLeavesByTheStopFileWasNotKilledByAStranger() {
        world.otherwise(FakeProcess.runs().ignoringTerm());
        JobId id = world.submit(Spec.workers(1));
        world.until(id, JobState.RUNNING);
        world.jobs.suspend(id);
        world.pass(Duration.ofSeconds(2));
        world.backend.kill(World.key(id, "worker-0", 1), 143);
        world.until(id, JobState.SUSPENDED);
        Attempt.Exit exit = world.process(id, "worker-0").exit().orElseThrow();
        assertThat(exit.code()).hasValue(143);
        assertThat(exit.cause()).isEmpty();
        assertThat(exit.reason()).isEmpty();
    }

    @Test
    void whoIgnoresTheStopFileIsAskedAfterTheGraceTimeAndKilledAfterAnother() {
        world.otherwise(FakeProcess.runs().ignoringTerm());
        JobId id = world.submit(Spec.workers(1).grace(Duration.ofSeconds(10)));
        world.until(id, JobState.RUNNING);
        Instant asked = world.clock.now();
        world.jobs.suspend(id);
        world.until(id, JobState.SUSPENDED);
        assertThat(world.process(id, "worker-0").stopAsked()).contains(asked.plusSeconds(10));
        assertThat(world.process(id, "worker-0").exit().orElseThrow().at()).isEqualTo(asked.plusSeconds(20));
    }

    @Test
    void suspendWorksInEveryStateBeforeTheTrainingIsOver() {
        world.otherwise(FakeProcess.runs().neverJoining());
        JobId starting = world.submit(Spec.workers(1).named("starting"));
        world.until(starting, JobState.STARTING);
        world.jobs.suspend(starting);
        world.until(starting, Duration.ofSeconds(1), job -> job.state() == JobState.SUSPENDED);

        world.otherwise(FakeProcess.exits(137, Duration.ofSeconds(1)));
        JobId restarting = world.submit(Spec.workers(1).named("restarting").restarts(1));
        world.until(restarting, JobState.RESTARTING);
        world.jobs.suspend(restarting);
        world.until(restarting, JobState.SUSPENDED);
        assertThat(world.job(restarting).counters().restarts()).isEqualTo(1);

        JobId admitted = world.submit(Spec.workers(1).named("admitted"));
        world.workWithoutSlow();
        assertThat(world.job(admitted).state()).isEqualTo(JobState.ADMITTED);
        world.jobs.suspend(admitted);
        world.until(admitted, JobState.SUSPENDED);

        world.backend.capacity(new Capacity(1, 1, 1, 0));
        world.otherwise(FakeProcess.runs());
        JobId running = world.submit(Spec.workers(1).named("running"));
        JobId queued = world.submit(Spec.workers(1).named("queued"));
        world.until(running, JobState.RUNNING);
        world.jobs.suspend(queued);
        assertThat(world.job(queued).state()).isEqualTo(JobState.SUSPENDED);
        assertThat(world.jobs.suspend(queued)).isEqualTo(new Jobs.Result.Done());
    }

    @Test
    void anEndedJobIsNeitherSuspendedNorResumed() {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId id = world.submit(Spec.workers(1));
        world.untilFinal(id);
        assertThat(world.jobs.suspend(id)).isEqualTo(new Jobs.Result.Refused("it has ended: Succeeded"));
        assertThat(world.jobs.resume(id, Optional.empty())).isInstanceOf(Jobs.Result.Refused.class);
    }

    @Test
    void resumeTakesTheChangedTextOrRefusesItAndStaysSuspended() {
        JobId id = world.submit(Spec.workers(1).suspended());
        assertThat(world.jobs.resume(id, Optional.of(Spec.workers(100).build())))
                .isInstanceOf(Jobs.Result.Wrong.class);
        assertThat(world.jobs.resume(
                        id, Optional.of(Spec.workers(1).named("other").build())))
                .isInstanceOf(Jobs.Result.Wrong.class);
        assertThat(world.job(id).state()).isEqualTo(JobState.SUSPENDED);
        world.jobs.resume(id, Optional.of(Spec.workers(3).build()));
        world.until(id, JobState.RUNNING);
        assertThat(world.job(id).processes()).hasSize(3);
    }

    @Test
    void b31_aProcessThatComesBackOrIsNewHasTheAttemptNumberOfTheOthersAndReusesNone() {
        JobId id = world.submit(Spec.workers(2).restarts(3).grace(Duration.ofSeconds(1)));
        world.until(id, JobState.RUNNING);
        world.backend.kill(World.key(id, "worker-1", 1), 137);
        world.until(id, JobState.RESTARTING);
        world.until(id, JobState.RUNNING);
        for (int workers : new int[] {1, 3}) {
            world.jobs.suspend(id);
            world.until(id, JobState.SUSPENDED);
            world.jobs.resume(id, Optional.of(Spec.workers(workers).restarts(3).build()));
            world.until(id, JobState.RUNNING);
        }
        assertThat(world.job(id).processes())
                .hasSize(3)
                .extracting(Attempt::attempt)
                .containsOnly(4);
        assertThat(world.store.attempts(id, Optional.of(new ProcessName("worker", 1))))
                .extracting(Attempt::attempt)
                .containsExactly(1, 2, 4);
    }

    @Test
    void aPreemptedJobSavesGoesBackToTheQueueAndIsNotCounted() {
        world.otherwise(FakeProcess.runs().leavingOnStopFile(Duration.ofSeconds(1)));
        JobId id = world.submit(Spec.workers(1));
        world.until(id, JobState.RUNNING);
        world.jobs.preempt(id, "room is needed for job big");
        JobRecord stopping = world.job(id);
        assertThat(stopping.status().target()).contains(JobState.QUEUED);
        assertThat(stopping.status().reason()).contains("Preempted: room is needed for job big");
        world.until(id, Duration.ofSeconds(5), job -> job.state() == JobState.RUNNING);
        assertThat(world.path(id))
                .containsExactly(
                        "Queued",
                        "Admitted",
                        "Starting",
                        "Running",
                        "Stopping",
                        "Queued",
                        "Admitted",
                        "Starting",
                        "Running");
        assertThat(world.job(id).counters()).isEqualTo(new JobRecord.Counters(2, 0, 1));
    }

    @Test
    void aJobThatIsPreemptedAgainAndAgainWithoutProgressEnds() {
        JobId id = world.submit(Spec.workers(1).grace(Duration.ofMillis(100)));
        for (int round = 0; round < 21; round++) {
            world.until(id, JobState.RUNNING);
            world.jobs.preempt(id, "room is needed");
            world.until(id, Duration.ofMinutes(1), job -> job.state() != JobState.STOPPING);
        }
        assertThat(world.job(id).state()).isEqualTo(JobState.FAILED);
        assertThat(world.job(id).status().cause()).contains(Cause.PREEMPTED);
    }
}
