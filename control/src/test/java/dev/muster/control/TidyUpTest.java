package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Attempt;
import dev.muster.model.EnvironmentSpec;
import dev.muster.model.JobId;
import dev.muster.model.JobState;
import dev.muster.spi.BackendException;
import dev.muster.spi.Interpreter;
import dev.muster.spi.Launch;
import dev.muster.spi.PythonEnvironments;
import dev.muster.testkit.FakeBackend.Op;
import dev.muster.testkit.FakeProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is kept, what goes, and what nobody knows. */
final class TidyUpTest {
    private final World world = new World();

    @AfterEach
    void nothingViolated() {
        world.checkNothingViolated();
    }

    @Test
    void a19_objectsOfAnEndedJobGoAfterKeepProcesses() throws BackendException {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId atOnce = world.submit(Spec.workers(1).named("at-once"));
        JobId later = world.submit(Spec.workers(1).named("later").keepProcesses(Duration.ofMinutes(10)));
        world.untilFinal(atOnce);
        world.untilFinal(later);
        world.settle();
        assertThat(world.backend.jobs()).containsExactly(later);
        world.pass(Duration.ofMinutes(9));
        assertThat(world.backend.jobs()).containsExactly(later);
        world.pass(Duration.ofMinutes(1));
        assertThat(world.backend.jobs()).isEmpty();
    }

    @Test
    void objectsThatANewServiceFindsOfAnEndedJobGoToo() throws BackendException {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId id = world.submit(Spec.workers(1).keepProcesses(Duration.ofMinutes(10)));
        world.untilFinal(id);
        world.boot();
        world.clock.advance(Duration.ofMinutes(11));
        world.boot();
        world.settle();
        assertThat(world.backend.jobs()).isEmpty();
    }

    @Test
    void a19_orphansAreEndedAndRemoved() throws BackendException {
        JobId id = world.submit(Spec.workers(2));
        world.until(id, JobState.RUNNING);
        World other = new World(world.backend, world.clock);
        other.settle();
        assertThat(world.backend.jobs()).isEmpty();
    }

    /** A platform was asked for a start, and carries it out when the job has been suspended. */
    private JobId suspendedWithALateStart() {
        JobId id = world.submit(Spec.workers(1));
        world.until(id, JobState.RUNNING);
        world.jobs.suspend(id);
        world.until(id, JobState.SUSPENDED);
        Launch first = world.backend.launches().getFirst();
        world.backend.startLate(
                Launches.of(world.job(id), World.key(id, "worker-0", 2), first.plan(), Interpreter.NONE, Map.of()),
                FakeProcess.runs());
        world.settle();
        assertThat(world.backend.alive(id)).hasSize(1);
        return id;
    }

    @Test
    void a19_whatIsStartedWhileItsJobIsSuspendedIsEnded() {
        JobId id = suspendedWithALateStart();
        world.pass(Duration.ofSeconds(60));
        assertThat(world.backend.alive(id)).isEmpty();
        assertThat(world.job(id).state()).isEqualTo(JobState.SUSPENDED);
    }

    @Test
    void a19_nothingIsForgottenWhileItRuns() throws BackendException {
        JobId id = suspendedWithALateStart();
        world.clock.advance(Duration.ofSeconds(20));
        world.jobs.cancel(id);
        while (!world.backend.jobs().isEmpty()) {
            assertThat(world.reconciler.doWork()).isTrue();
        }
        assertThat(world.backend.alive(id)).isEmpty();
    }

    @Test
    void deleteRemovesAnEndedJobWholly() throws BackendException, IOException {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId id = world.submit(Spec.workers(1).keepProcesses(Duration.ofHours(1)));
        assertThat(world.jobs.delete(id)).isEqualTo(new Jobs.Result.Refused("it has not ended: Queued"));
        world.untilFinal(id);
        assertThat(world.jobs.delete(id)).isEqualTo(new Jobs.Result.Done());
        assertThat(world.jobs.get(id)).isEqualTo(Optional.empty());
        assertThat(world.backend.jobs()).isEmpty();
        assertThat(world.files.removed).containsExactly(id);
        assertThat(world.jobs.delete(id)).isEqualTo(new Jobs.Result.NotFound());
    }

    @Test
    void whatIsRememberedOfADeletedJobsCheckpointsGoesToo() throws BackendException, IOException {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId id = world.submit(Spec.workers(1));
        world.untilFinal(id);
        assertThat(world.checkpoints.forgotten()).isEmpty();
        world.jobs.delete(id);
        assertThat(world.checkpoints.forgotten()).containsExactly(id);
    }

    @Test
    void a42_halfRegisteredModelsOfEndedAndUnknownJobsGoAndThoseOfPublishingJobsAreTakenUp() {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId ended = world.submit(Spec.workers(1).named("ended"));
        world.untilFinal(ended);
        JobId publishing = world.submit(Spec.workers(1).named("publishing").model("digits"));
        world.until(publishing, JobState.RUNNING);
        world.clock.advance(Duration.ofSeconds(1));
        world.workWithoutSlow();
        assertThat(world.job(publishing).state()).isEqualTo(JobState.PUBLISHING);
        world.models.leaveUnfinished(ended);
        world.models.leaveUnfinished(new JobId("unknown"));
        world.models.leaveUnfinished(publishing);

        world.boot();
        world.workWithoutSlow();
        assertThat(world.models.unfinished()).containsExactly(publishing);
        assertThat(world.untilFinal(publishing).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(world.models.unfinished()).isEmpty();
    }

    @Test
    void pythonEnvironmentsOfLiveJobsAreNamedAsInUseOnceAnHour() {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId ended = world.submit(Spec.workers(1).named("ended"));
        world.untilFinal(ended);
        world.submit(Spec.workers(1).named("suspended").suspended());
        int before = world.environments.removals().size();
        world.pass(Duration.ofMinutes(61));
        assertThat(world.environments.removals()).hasSize(before + 1);
        assertThat(world.environments.removals().getLast())
                .containsExactly(new PythonEnvironments.Use(EnvironmentSpec.NONE, World.ORIGIN));
        world.backend.ownPython();
        world.pass(Duration.ofMinutes(61));
        assertThat(world.environments.removals().getLast()).isEmpty();
    }

    @Test
    void b38_whatANewServiceKnowsOfACleanedUpJobIsAllOfIt() throws BackendException {
        JobId id = world.nextId();
        world.script(id, "worker-1", 1, FakeProcess.exits(137, Duration.ofSeconds(1)))
                .script(id, "worker-1", 2, FakeProcess.exits(3, Duration.ofSeconds(1)));
        world.submit(Spec.workers(2).restarts(1).keepProcesses(Duration.ZERO));
        world.untilFinal(id);
        world.pass(Duration.ofMinutes(1));
        assertThat(world.backend.jobs()).isEmpty();
        world.boot();
        world.pass(Duration.ofMinutes(1));
        assertThat(world.files.withoutLogs).isEmpty();
        assertThat(world.files.removed).isEmpty();
        List<Attempt> attempts = world.store.attempts(id, Optional.empty());
        assertThat(attempts).hasSize(4);
        assertThat(attempts)
                .filteredOn(attempt -> attempt.name().index() == 1)
                .extracting(attempt -> attempt.exit().orElseThrow().code().getAsInt())
                .containsExactlyInAnyOrder(137, 3);
        assertThat(attempts)
                .filteredOn(attempt -> attempt.name().index() == 1)
                .extracting(attempt -> attempt.exit().orElseThrow().reason().orElseThrow())
                .anyMatch(reason -> reason.startsWith("Killed: worker-1 was ended by SIGKILL"))
                .anyMatch(reason -> reason.startsWith("UserError: worker-1 ended with exit code 3"));
        assertThat(world.job(id).status().reason().orElseThrow()).startsWith("UserError: worker-1");
        assertThat(world.telemetry.finished())
                .contains(World.key(id, "worker-1", 1), World.key(id, "worker-1", 2), World.key(id, "worker-0", 2));
    }

    @Test
    void logsAndRecordsOfAnEndedJobGoAfterTheirTime() {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId id = world.submit(Spec.workers(1).keepLogs(Duration.ofHours(3)).keepRecords(Duration.ofHours(6)));
        JobId other = world.submit(Spec.workers(1).named("other"));
        world.untilFinal(id);
        world.pass(Duration.ofMinutes(170));
        assertThat(world.files.withoutLogs).isEmpty();
        world.pass(Duration.ofMinutes(80));
        assertThat(world.files.withoutLogs).containsExactly(id);
        assertThat(world.jobs.get(id)).isPresent();
        world.pass(Duration.ofHours(3));
        assertThat(world.jobs.get(id)).isEmpty();
        assertThat(world.files.removed).containsExactly(id);
        assertThat(world.jobs.get(other)).isPresent();
    }

    @Test
    void b52_aNameIsFreeAsSoonAsItsJobIsDeleted() throws BackendException, IOException {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        for (int round = 0; round < 20; round++) {
            JobId id = world.submit(Spec.workers(1).named("x"));
            world.until(id, Duration.ofSeconds(3), job -> job.state() == JobState.SUCCEEDED);
            world.jobs.delete(id);
        }
    }

    @Test
    void b24_whatAnEndedProcessLeftBehindIsSwept() {
        int[] sweeps = {0};
        world.backend.before(call -> sweeps[0] += call.op() == Op.SWEEP ? 1 : 0);
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        world.untilFinal(world.submit(Spec.workers(2)));
        assertThat(sweeps[0]).isEqualTo(2);
    }
}
