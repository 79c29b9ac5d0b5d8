package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.ProcessState;
import dev.muster.model.RestartPolicy.Action;
import dev.muster.model.RestartScope;
import dev.muster.testkit.FakeProcess;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Jobs with parameter servers, whose processes are restarted one by one. */
final class ParameterServerTest {
    private final World world = new World();

    @AfterEach
    void nothingViolated() {
        world.checkNothingViolated();
    }

    private static Spec job() {
        return new Spec().role("chief", 1).role("worker", 2).role("ps", 1).tensorflow();
    }

    @Test
    void aKilledProcessIsRestartedAloneAndTheOthersGoOn() {
        JobId id = world.submit(job().restarts(2));
        world.until(id, JobState.RUNNING);
        var placement = world.job(id).placement();
        world.checkpoints.save(id, 30);
        world.backend.kill(World.key(id, "ps-0", 1), 137);
        world.until(id, JobState.RESTARTING);
        assertThat(world.backend.alive(id)).hasSize(3);
        JobRecord again = world.until(id, JobState.RUNNING);

        assertThat(again.counters()).isEqualTo(new JobRecord.Counters(1, 1, 0));
        assertThat(world.process(id, "ps-0").attempt()).isEqualTo(2);
        assertThat(world.process(id, "ps-0").groupAttempt()).isEqualTo(1);
        assertThat(world.process(id, "worker-1").attempt()).isEqualTo(1);
        assertThat(again.placement()).isEqualTo(placement);
        assertThat(world.backend.launches().getLast().resumeFrom()).contains("/checkpoints/" + id + "/step-30");
    }

    @Test
    void aUserErrorWaitsForItsPeerAndIsThenItsVictimInOneCountedIncident() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(1, Duration.ofMillis(2000)))
                .script(id, "ps-0", 1, FakeProcess.exits(137, Duration.ofMillis(4000)));
        world.submit(job().restarts(1));
        world.until(id, Duration.ofMinutes(1), job -> job.times().settleUntil().isPresent());
        world.until(id, JobState.RESTARTING);
        world.until(id, JobState.RUNNING);
        assertThat(world.job(id).counters().restarts()).isEqualTo(1);
        assertThat(world.process(id, "worker-0").attempt()).isEqualTo(2);
        assertThat(world.process(id, "ps-0").attempt()).isEqualTo(2);
        assertThat(world.process(id, "worker-1").attempt()).isEqualTo(1);
    }

    @Test
    void aUserErrorWithoutSuchAPeerFailsTheJobAfterTheWindow() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(1, Duration.ofSeconds(2)));
        world.submit(job().restarts(1));
        JobRecord end =
                world.until(id, Duration.ofMillis(7200), job -> job.state().isFinal());
        assertThat(end.state()).isEqualTo(JobState.FAILED);
        assertThat(end.status().reason().orElseThrow()).startsWith("UserError: worker-0");
        assertThat(end.counters().restarts()).isZero();
    }

    @Test
    void b17_aParameterServerThatFailsForGoodFailsTheJob() {
        JobId id = world.nextId();
        world.script(id, "ps-0", 1, FakeProcess.exits(1, Duration.ofSeconds(2)));
        world.submit(job());
        JobRecord end =
                world.until(id, Duration.ofSeconds(8), job -> job.state().isFinal());
        assertThat(end.state()).isEqualTo(JobState.FAILED);
        assertThat(end.status().reason().orElseThrow()).startsWith("UserError: ps-0");
        assertThat(world.backend.alive(id)).isEmpty();
    }

    @Test
    void aVictimThatFailsDuringTheRestartJoinsItUncounted() {
        JobId id = world.submit(job().restarts(1));
        world.until(id, JobState.RUNNING);
        world.backend.kill(World.key(id, "ps-0", 1), 137);
        world.until(id, JobState.RESTARTING);
        world.backend.kill(World.key(id, "worker-1", 1), 1);
        world.until(id, JobState.RUNNING);
        assertThat(world.job(id).counters().restarts()).isEqualTo(1);
        assertThat(world.process(id, "worker-1").attempt()).isEqualTo(2);
    }

    @Test
    void aVictimThatFailsInsideTheWindowAfterItIsRestartedUncounted() {
        JobId id = world.submit(job().restarts(1));
        world.until(id, JobState.RUNNING);
        world.backend.kill(World.key(id, "ps-0", 1), 137);
        world.until(id, JobState.RESTARTING);
        world.until(id, JobState.RUNNING);
        world.backend.kill(World.key(id, "worker-1", 1), 1);
        world.until(id, JobState.RESTARTING);
        world.until(id, JobState.RUNNING);
        assertThat(world.job(id).counters().restarts()).isEqualTo(1);
        assertThat(world.process(id, "worker-1").attempt()).isEqualTo(2);
    }

    @Test
    void aRestartedProcessThatFailsAgainIsNoVictim() {
        JobId id = world.nextId();
        world.script(id, "ps-0", 2, FakeProcess.exits(1, Duration.ofMillis(100)));
        world.submit(job().restarts(5));
        world.until(id, JobState.RUNNING);
        world.backend.kill(World.key(id, "ps-0", 1), 137);
        JobRecord end = world.untilFinal(id);
        assertThat(end.state()).isEqualTo(JobState.FAILED);
        assertThat(end.status().cause()).contains(Cause.USER_ERROR);
        assertThat(end.counters().restarts()).isEqualTo(1);
    }

    @Test
    void b26_theBudgetBoundsProcessRestartsToo() {
        world.otherwise(FakeProcess.runs());
        JobId id = world.nextId();
        for (int attempt = 1; attempt < 9; attempt++) {
            world.script(id, "worker-1", attempt, FakeProcess.exits(137, Duration.ofSeconds(2)));
        }
        world.submit(job().restarts(2));
        JobRecord end = world.untilFinal(id);
        assertThat(end.state()).isEqualTo(JobState.FAILED);
        assertThat(end.counters().restarts()).isEqualTo(2);
        assertThat(world.process(id, "worker-1").attempt()).isEqualTo(3);
        assertThat(end.status().reason().orElseThrow()).contains("restart limit reached");
    }

    @Test
    void outOfMemoryFailsTheJobAtOnce() {
        JobId id = world.nextId();
        world.script(
                id, "worker-1", 1, FakeProcess.exits(137, Duration.ofSeconds(2)).overItsMemory());
        world.submit(job().restarts(2));
        JobRecord end =
                world.until(id, Duration.ofSeconds(3), job -> job.state().isFinal());
        assertThat(end.status().cause()).contains(Cause.OUT_OF_MEMORY);
    }

    @Test
    void aRuleMayRestartTheWholeGroup() {
        JobId id = world.nextId();
        world.script(id, "worker-1", 1, FakeProcess.exits(42, Duration.ofSeconds(2)));
        world.submit(job().restarts(1).rule(42, Action.RESTART, true, RestartScope.GROUP));
        world.until(id, JobState.RESTARTING);
        assertThat(world.job(id).status().restarting()).contains(RestartScope.GROUP);
        world.until(id, JobState.RUNNING);
        assertThat(world.job(id).counters().attempt()).isEqualTo(2);
        assertThat(world.job(id).processes()).allMatch(process -> process.attempt() == 2);
    }

    @Test
    void theChiefMaySucceedWhileAWorkerIsBeingRestarted() {
        JobId id = world.nextId();
        world.script(id, "chief-0", 1, FakeProcess.exits(0, Duration.ofMillis(2500)))
                .script(id, "worker-1", 1, FakeProcess.exits(137, Duration.ofSeconds(2)));
        world.submit(job().restarts(1).backoff(Duration.ofSeconds(10), 1, Duration.ofSeconds(10)));
        JobRecord end = world.untilFinal(id);
        assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(end.status().cause()).isEmpty();
        assertThat(world.process(id, "worker-1").state()).isEqualTo(ProcessState.EXITED);
    }
}
