package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Attempt;
import dev.muster.model.Cause;
import dev.muster.model.Event;
import dev.muster.model.FrameworkKind;
import dev.muster.model.Group;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessPlan;
import dev.muster.model.RestartPolicy.Action;
import dev.muster.model.RestartScope;
import dev.muster.model.SuccessPolicy;
import dev.muster.spi.BackendException;
import dev.muster.spi.Interpreter;
import dev.muster.spi.Launch;
import dev.muster.testkit.FakeBackend.Op;
import dev.muster.testkit.FakeFramework;
import dev.muster.testkit.FakeProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Restarts of the whole group: budget, back-off, attempts, resuming. */
final class RestartTest {
    private final World world = new World();

    @AfterEach
    void nothingViolated() {
        world.checkNothingViolated();
    }

    @Test
    void b25_aKilledWorkerBringsTheGroupBackAndTheJobSucceeds() {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(30)));
        JobId id = world.submit(Spec.workers(3).restarts(3));
        world.until(id, JobState.RUNNING);
        world.backend.kill(World.key(id, "worker-1", 1), 137);
        JobRecord end = world.untilFinal(id);

        assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(end.counters()).isEqualTo(new JobRecord.Counters(2, 1, 0));
        assertThat(world.path(id))
                .containsExactly(
                        "Queued",
                        "Admitted",
                        "Starting",
                        "Running",
                        "Restarting",
                        "Admitted",
                        "Starting",
                        "Running",
                        "Succeeded");
    }

    @Test
    void b26_restartLimitHoldsAcrossNewProcesses() {
        world.otherwise(FakeProcess.exits(137, Duration.ofSeconds(1)));
        JobId id = world.submit(Spec.workers(1).restarts(2));
        JobRecord end = world.untilFinal(id);

        assertThat(end.state()).isEqualTo(JobState.FAILED);
        assertThat(world.backend.launches()).hasSize(3);
        assertThat(end.status().cause()).contains(Cause.KILLED);
        assertThat(end.status().reason().orElseThrow()).contains("restart limit reached: restart.max is 2");
    }

    /** A platform carries out the start of an older attempt, and that cannot be ended at once. */
    @Test
    void nothingStartsBesideAnOlderAttempt() {
        JobId id = world.nextId();
        ProcessKey older = World.key(id, "worker-0", 1);
        Instant ends = world.clock.now().plusSeconds(30);
        world.backend.before(call -> {
            switch (call.op()) {
                case START -> {
                    if (call.process().equals(Optional.of(older))) {
                        throw new BackendException(BackendException.Kind.FAILED, Cause.PORT_LOST, "refused");
                    }
                    if (world.backend.late().isEmpty()) {
                        world.backend.startLate(launch(id, older), FakeProcess.runs());
                        throw new BackendException(BackendException.Kind.NO_CONTACT, Cause.INTERNAL, "no answer");
                    }
                }
                case KILL -> {
                    if (world.clock.now().isBefore(ends)) {
                        throw new BackendException(BackendException.Kind.NO_CONTACT, Cause.INTERNAL, "no answer");
                    }
                }
                case ASK, PLACE, OBSERVE, SWEEP, RELEASE, REMOVE, JOBS, PREPARE, COLLECT -> {}
            }
        });
        world.submit(Spec.workers(1));
        world.until(id, JobState.STARTING);
        world.pass(Duration.ofSeconds(20));
        assertThat(world.backend.launches()).extracting(Launch::key).containsExactly(older);
        world.until(id, JobState.RUNNING);
        assertThat(world.backend.alive(id)).containsExactly(World.key(id, "worker-0", 2));
    }

    private Launch launch(JobId id, ProcessKey key) {
        JobRecord job = world.job(id);
        ProcessPlan plan = new FakeFramework(FrameworkKind.PLAIN, new SuccessPolicy.All())
                .plan(job.spec(), Group.of(job.spec()))
                .process(key.name())
                .orElseThrow();
        return Launches.of(job, key, plan, Interpreter.NONE, Map.of());
    }

    @Test
    void b26_restartLimitHoldsAcrossNewServices() {
        world.otherwise(FakeProcess.exits(137, Duration.ofSeconds(1)));
        JobId id = world.submit(Spec.workers(1).restarts(2));
        for (int service = 0; service < 100; service++) {
            world.pass(Duration.ofMillis(300));
            world.boot();
        }
        assertThat(world.job(id).state()).isEqualTo(JobState.FAILED);
        assertThat(world.backend.launches()).hasSize(3);
        assertThat(world.job(id).counters().restarts()).isEqualTo(2);
    }

    @Test
    void b31_restartsAreCountedForTheGroupAndTheThirdFailureEndsIt() {
        JobId id = world.submit(Spec.workers(2).restarts(2));
        for (String failing : List.of("worker-0", "worker-1", "worker-0")) {
            world.until(id, JobState.RUNNING);
            int attempt = world.process(id, failing).attempt();
            world.backend.kill(World.key(id, failing, attempt), 137);
            world.until(id, Duration.ofMinutes(2), job -> job.state() != JobState.RUNNING);
        }
        JobRecord end = world.untilFinal(id);
        assertThat(end.state()).isEqualTo(JobState.FAILED);
        assertThat(end.counters().restarts()).isEqualTo(2);
    }

    @Test
    void b31_stopsOfAGroupRestartAreNoFailuresAndAllWorkersSeeOneAttemptNumber() {
        JobId id = world.submit(Spec.workers(4).restarts(2));
        world.until(id, JobState.RUNNING);
        world.backend.kill(World.key(id, "worker-2", 1), 137);
        world.until(id, JobState.RESTARTING);
        world.until(id, JobState.RUNNING);

        assertThat(world.job(id).counters().restarts()).isEqualTo(1);
        assertThat(world.job(id).processes()).extracting(Attempt::attempt).containsOnly(2);
        assertThat(world.job(id).processes()).extracting(Attempt::groupAttempt).containsOnly(2);
    }

    @Test
    void b31_afterSingleRestartsAGroupRestartGivesAllOneAttemptNumberAgain() {
        JobId id = world.submit(Spec.workers(2).restarts(3).rule(42, Action.RESTART, true, RestartScope.PROCESS));
        world.until(id, JobState.RUNNING);
        world.backend.kill(World.key(id, "worker-1", 1), 42);
        world.until(id, JobState.RESTARTING);
        world.until(id, JobState.RUNNING);
        assertThat(world.job(id).processes()).extracting(Attempt::attempt).containsExactly(1, 2);
        world.pass(Duration.ofSeconds(30));
        world.backend.kill(World.key(id, "worker-0", 1), 137);
        world.until(id, JobState.RESTARTING);
        world.until(id, JobState.RUNNING);
        assertThat(world.job(id).processes()).extracting(Attempt::attempt).containsOnly(3);
    }

    @Test
    void a26_theBackOffGrowsAndIsBounded() {
        world.otherwise(FakeProcess.exits(137, Duration.ofSeconds(1)).neverJoining());
        JobId id = world.submit(Spec.workers(1).restarts(4).backoff(Duration.ofSeconds(2), 3, Duration.ofSeconds(10)));
        world.untilFinal(id);
        List<Duration> pauses = new ArrayList<>();
        Instant failed = Instant.MAX;
        for (Event event : world.events(id)) {
            if (event.process().isEmpty() && event.to().equals("Restarting")) {
                failed = event.at();
            } else if (event.process().isEmpty() && event.from().equals(Optional.of("Restarting"))) {
                pauses.add(Duration.between(failed, event.at()));
            }
        }
        assertThat(pauses)
                .containsExactly(
                        Duration.ofSeconds(2), Duration.ofSeconds(6), Duration.ofSeconds(10), Duration.ofSeconds(10));
    }

    @Test
    void a44_theNewAttemptResumesFromTheNewestWholeCheckpoint() {
        JobId id = world.submit(Spec.workers(2).restarts(1));
        world.until(id, JobState.RUNNING);
        assertThat(world.backend.launches())
                .allMatch(launch -> launch.resumeFrom().isEmpty());
        world.checkpoints.save(id, 9_000);
        world.checkpoints.save(id, 10_000);
        world.checkpoints.warn(id, "step-10500 is cut short");
        world.backend.kill(World.key(id, "worker-1", 1), 137);
        world.until(id, JobState.RESTARTING);
        world.until(id, JobState.STARTING);

        assertThat(world.job(id).resumeFrom()).contains("/checkpoints/" + id + "/step-10000");
        assertThat(world.job(id).status().reason().orElseThrow())
                .contains("resumes from /checkpoints/" + id + "/step-10000")
                .contains("step-10500 is cut short");
        world.until(id, JobState.RUNNING);
        List<Launch> second = world.backend.launches().subList(2, 4);
        assertThat(second)
                .allMatch(launch -> launch.resumeFrom().equals(world.job(id).resumeFrom()));
        assertThat(world.job(id).status().reason()).isEmpty();
    }

    @Test
    void portLostIsNotCounted() {
        int[] failures = {3};
        world.backend.before(call -> {
            if (call.op() == Op.PLACE && failures[0]-- > 0) {
                throw new BackendException(BackendException.Kind.FAILED, Cause.PORT_LOST, "port 20001 is taken");
            }
        });
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId id = world.submit(Spec.workers(2));
        JobRecord end = world.untilFinal(id);
        assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(end.counters().restarts()).isZero();
        assertThat(end.counters().attempt()).isEqualTo(4);
    }

    @Test
    void uncountedRestartsBeginAnewAfterProgress() {
        JobId id = world.submit(Spec.workers(1).rule(42, Action.RESTART, false, RestartScope.DEFAULT));
        for (int round = 0; round < 25; round++) {
            world.until(id, JobState.RUNNING);
            world.telemetry.says(id, Said.step(100 + round));
            world.pass(Duration.ofSeconds(2));
            world.backend.kill(World.key(id, "worker-0", round + 1), 42);
            world.until(id, JobState.RESTARTING);
            assertThat(world.job(id).counters().uncounted()).isEqualTo(1);
        }
        assertThat(world.job(id).counters().restarts()).isZero();
    }

    @Test
    void a23_aStartThatFailsEndsAllThatWereStartedAndIsTriedAgain() {
        int[] failures = {1};
        world.backend.before(call -> {
            if (call.op() == Op.START && call.process().orElseThrow().name().index() == 2 && failures[0]-- > 0) {
                throw new BackendException(BackendException.Kind.FAILED, Cause.LAUNCH_FAILED, "no more processes");
            }
        });
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId id = world.submit(Spec.workers(4).restarts(1));
        world.until(id, JobState.RESTARTING);
        assertThat(world.job(id).status().reason().orElseThrow())
                .isEqualTo("LaunchFailed: worker-2: no more processes");
        assertThat(world.backend.alive(id)).isEmpty();
        assertThat(world.untilFinal(id).state()).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void b18_aStartThatTheBackendRefusesFailsTheJobInTheBackendsWords() {
        world.backend.before(call -> {
            if (call.op() == Op.START) {
                throw new BackendException(
                        BackendException.Kind.REFUSED, Cause.BACKEND_REFUSED, "403 exceeded quota: pods=5");
            }
        });
        JobId id = world.submit(Spec.workers(2).restarts(3));
        JobRecord end =
                world.until(id, Duration.ofSeconds(2), job -> job.state().isFinal());
        assertThat(end.status().cause()).contains(Cause.BACKEND_REFUSED);
        assertThat(end.status().reason().orElseThrow()).contains("403 exceeded quota: pods=5");
        assertThat(end.counters().restarts()).isZero();
        assertThat(world.backend.holds(id)).isFalse();
    }

    @Test
    void anEnvironmentThatCannotBeMadeFailsTheJobByName() {
        world.environments.fail("requirement nosuch==1 was not found");
        JobId id = world.submit(Spec.workers(2).restarts(3));
        JobRecord end = world.untilFinal(id);
        assertThat(end.state()).isEqualTo(JobState.FAILED);
        assertThat(end.status().reason()).contains("LaunchFailed: requirement nosuch==1 was not found");
        assertThat(world.backend.launches()).isEmpty();
    }

    @Test
    void aNamedCheckpointThatIsNotThereFailsTheJob() {
        JobId id = world.submit(Spec.workers(1).from("./old/run"));
        JobRecord end = world.untilFinal(id);
        assertThat(end.status().cause()).contains(Cause.CHECKPOINT_UNUSABLE);
    }

    @Test
    void aJobMayStartFromTheCheckpointOfAnotherByNameOrFromAPath() {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId first = world.submit(Spec.workers(1).named("first"));
        world.checkpoints.save(first, 70);
        world.untilFinal(first);
        JobId second = world.submit(Spec.workers(1).named("second").from("first"));
        assertThat(world.untilFinal(second).resumeFrom()).contains("/checkpoints/" + first + "/step-70");

        world.checkpoints.put(java.nio.file.Path.of("/home/ann/job/old/run"), 5);
        JobId third = world.submit(Spec.workers(1).named("third").from("old/run"));
        assertThat(world.untilFinal(third).resumeFrom()).contains("/checkpoints/outside/step-5");
    }

    @Test
    void aRuleMayRestartARoleOnly() {
        JobId id = world.nextId();
        world.script(id, "worker-1", 1, FakeProcess.exits(42, Duration.ofSeconds(2)));
        world.submit(new Spec()
                .role("chief", 1)
                .role("worker", 2)
                .restarts(1)
                .rule(42, Action.RESTART, true, RestartScope.ROLE));
        world.until(id, JobState.RESTARTING);
        world.until(id, JobState.RUNNING);
        assertThat(world.process(id, "chief-0").attempt()).isEqualTo(1);
        assertThat(world.process(id, "worker-0").attempt()).isEqualTo(2);
        assertThat(world.process(id, "worker-1").attempt()).isEqualTo(2);
        assertThat(world.job(id).counters()).isEqualTo(new JobRecord.Counters(1, 1, 0));
        assertThat(world.process(id, "chief-0").exit()).isEqualTo(Optional.empty());
    }
}
