package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.ProcessState;
import dev.muster.testkit.FakeProcess;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Jobs whose framework needs a process beside the workers, through which they find each other. */
final class CompanionTest {
    private static final String COMPANION = "rendezvous-0";
    private final World world = new World();

    @AfterEach
    void nothingViolated() {
        world.checkNothingViolated();
    }

    private static Spec job() {
        return Spec.workers(2).horovod();
    }

    @Test
    void b11_workersAreStartedOnceTheCompanionListens() {
        JobId id = world.nextId();
        world.script(id, COMPANION, 1, FakeProcess.runs().joining(Duration.ofSeconds(20)));
        world.submit(job());
        world.until(id, JobState.STARTING);
        world.pass(Duration.ofSeconds(15));
        assertThat(world.process(id, COMPANION).state()).isNotEqualTo(ProcessState.WAITING);
        assertThat(world.backend.launches())
                .extracting(launch -> launch.key().name().toString())
                .containsExactly(COMPANION);
        JobRecord running = world.until(id, JobState.RUNNING);
        assertThat(running.counters().restarts()).isZero();
        assertThat(world.backend.launches()).hasSize(3);
    }

    @Test
    void whereOneOrderStartsTheGroupNobodyIsHeldBack() {
        world.backend.startsTogether();
        JobId id = world.nextId();
        world.script(id, COMPANION, 1, FakeProcess.runs().joining(Duration.ofSeconds(20)));
        world.submit(job());
        world.until(id, JobState.STARTING);
        world.pass(Duration.ofSeconds(15));
        assertThat(world.backend.launches()).hasSize(3);
        world.until(id, JobState.RUNNING);
    }

    @Test
    void b12_aCompanionThatNeverListensIsNamed() {
        JobId id = world.nextId();
        world.script(id, COMPANION, 1, FakeProcess.runs().joining(Duration.ofHours(9)));
        world.submit(job().startDeadline(Duration.ofSeconds(10)));
        JobRecord failed = world.until(id, JobState.FAILED);
        assertThat(failed.status().cause()).contains(Cause.START_TIMEOUT);
        assertThat(failed.status().reason().orElseThrow()).contains(COMPANION).contains("worker-0 (not started)");
        assertThat(world.backend.launches()).hasSize(1);
    }

    @Test
    void theCompanionDoesNotDecideSuccessAndIsStoppedAfterIt() {
        JobId id = world.nextId();
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(30)));
        world.script(id, COMPANION, 1, FakeProcess.runs());
        world.submit(job());
        world.until(id, JobState.SUCCEEDED);
        assertThat(world.backend.alive(id)).isEmpty();
    }

    @Test
    void itsFailureIsTheGroups() {
        JobId id = world.nextId();
        world.script(id, COMPANION, 1, FakeProcess.exits(3, Duration.ofSeconds(20)));
        world.submit(job());
        JobRecord failed = world.until(id, JobState.FAILED);
        assertThat(failed.status().cause()).contains(Cause.USER_ERROR);
        assertThat(failed.status().reason().orElseThrow()).contains(COMPANION);
        assertThat(world.backend.alive(id)).isEmpty();
    }

    @Test
    void aGroupThatRestartsGetsAFreshOne() {
        JobId id = world.submit(job().restarts(1));
        world.until(id, JobState.RUNNING);
        world.backend.kill(World.key(id, "worker-1", 1), 137);
        world.until(id, JobState.RESTARTING);
        world.until(id, JobState.RUNNING);
        assertThat(world.process(id, COMPANION).attempt()).isEqualTo(2);
        assertThat(world.job(id).counters().restarts()).isEqualTo(1);
    }

    @Test
    void itTakesAPlaceAsAProcess() {
        JobId id = world.submit(job());
        world.until(id, JobState.RUNNING);
        assertThat(world.job(id).processes()).hasSize(3);
        assertThat(dev.muster.control.decide.Demand.of(world.job(id).spec()).processes())
                .isEqualTo(3);
    }
}
