package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Attempt;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.ProcessState;
import dev.muster.model.SuccessPolicy;
import dev.muster.testkit.FakeProcess;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whose exit 0 makes the job succeed, and what becomes of the others. */
final class SuccessTest {
    private final World world = new World();

    @AfterEach
    void nothingViolated() {
        world.checkNothingViolated();
    }

    private static Duration ran(JobRecord job) {
        return Duration.between(
                job.times().startedAt().orElseThrow(), job.times().finishedAt().orElseThrow());
    }

    @Test
    void b15_theChiefEndsTheJobAndTheRestIsStopped() {
        JobId id = world.nextId();
        world.script(id, "chief-0", 1, FakeProcess.exits(0, Duration.ofSeconds(2)));
        world.submit(new Spec().role("chief", 1).role("worker", 1).role("ps", 1).tensorflow());
        JobRecord end = world.untilFinal(id);

        assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(ran(end)).isLessThan(Duration.ofSeconds(6));
        assertThat(end.processes()).allMatch(process -> process.state() == ProcessState.EXITED);
        assertThat(world.process(id, "ps-0").exit().orElseThrow().cause()).isEmpty();
    }

    @Test
    void b15_withoutAChiefTheFirstWorkerDecides() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(0, Duration.ofSeconds(2)));
        world.submit(new Spec().role("worker", 2).role("ps", 1).tensorflow());
        assertThat(ran(world.untilFinal(id))).isLessThan(Duration.ofSeconds(6));
    }

    @Test
    void b15_theChiefMayEndWellThoughOthersNeverJoined() {
        JobId id = world.nextId();
        world.script(id, "chief-0", 1, FakeProcess.exits(0, Duration.ofSeconds(2)))
                .script(id, "worker-0", 1, FakeProcess.runs().neverJoining());
        world.submit(new Spec().role("chief", 1).role("worker", 1).tensorflow());
        JobRecord end = world.untilFinal(id);
        assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(world.path(id)).containsExactly("Queued", "Admitted", "Starting", "Stopping", "Succeeded");
    }

    @Test
    void b15_thePolicyAllWaitsForEveryWorker() {
        JobId id = world.nextId();
        world.script(id, "chief-0", 1, FakeProcess.exits(0, Duration.ofSeconds(2)))
                .script(id, "worker-0", 1, FakeProcess.exits(0, Duration.ofSeconds(60)));
        world.submit(new Spec()
                .role("chief", 1)
                .role("worker", 1)
                .role("ps", 1)
                .tensorflow()
                .success(new SuccessPolicy.All()));
        JobRecord end = world.untilFinal(id);
        assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(ran(end)).isGreaterThanOrEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void theChiefsPeersMayEndByThemselvesForAMoment() {
        JobId id = world.nextId();
        world.script(id, "chief-0", 1, FakeProcess.exits(0, Duration.ofMillis(2000)))
                .script(id, "worker-0", 1, FakeProcess.exits(0, Duration.ofMillis(3500)));
        world.submit(new Spec().role("chief", 1).role("worker", 1).role("ps", 1).tensorflow());
        JobRecord end = world.untilFinal(id);
        assertThat(world.process(id, "worker-0").stopAsked()).isEmpty();
        assertThat(ran(end)).isLessThan(Duration.ofMillis(3700));
    }

    @Test
    void anEvaluatorGetsSixtySecondsMore() {
        JobId id = world.nextId();
        world.script(id, "chief-0", 1, FakeProcess.exits(0, Duration.ofSeconds(2)));
        world.submit(
                new Spec().role("chief", 1).role("ps", 1).role("evaluator", 1).tensorflow());
        Instant over = world.until(id, JobState.STOPPING).times().stopAskedAt().orElseThrow();
        assertThat(world.process(id, "ps-0").stopAsked()).contains(over);
        world.untilFinal(id);
        assertThat(world.process(id, "evaluator-0").stopAsked()).contains(over.plusSeconds(60));
    }

    @Test
    void anEvaluatorThatEndsEarlierIsNotWaitedFor() {
        JobId id = world.nextId();
        world.script(id, "chief-0", 1, FakeProcess.exits(0, Duration.ofSeconds(2)))
                .script(id, "evaluator-0", 1, FakeProcess.exits(1, Duration.ofSeconds(10)));
        world.submit(new Spec().role("chief", 1).role("evaluator", 1).tensorflow());
        JobRecord end = world.untilFinal(id);
        assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(ran(end)).isLessThan(Duration.ofSeconds(11));
    }

    @Test
    void aSidecarNeitherHoldsNorFailsTheJob() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(0, Duration.ofSeconds(20)))
                .script(id, "metrics-0", 1, FakeProcess.exits(1, Duration.ofSeconds(2)));
        world.submit(Spec.workers(1).sidecar("metrics").sidecar("viewer"));
        world.until(id, JobState.RUNNING);
        world.pass(Duration.ofSeconds(10));
        assertThat(world.job(id).state()).isEqualTo(JobState.RUNNING);
        Attempt sidecar = world.process(id, "metrics-0");
        assertThat(sidecar.exit().orElseThrow().cause()).contains(Cause.USER_ERROR);
        JobRecord end = world.untilFinal(id);
        assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(ran(end)).isLessThan(Duration.ofSeconds(21));
    }

    @Test
    void aSidecarThatNeverJoinsIsNotWaitedFor() {
        JobId id = world.nextId();
        world.script(id, "metrics-0", 1, FakeProcess.runs().neverJoining());
        world.submit(Spec.workers(1).sidecar("metrics"));
        world.until(id, JobState.RUNNING);
    }

    @Test
    void anyIsTheFirstExitZero() {
        JobId id = world.nextId();
        world.script(id, "worker-2", 1, FakeProcess.exits(0, Duration.ofSeconds(2)))
                .script(id, "metrics-0", 1, FakeProcess.exits(0, Duration.ofMillis(100)));
        world.submit(Spec.workers(3).sidecar("metrics").success(new SuccessPolicy.AnyProcess()));
        JobRecord end = world.untilFinal(id);
        assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(ran(end)).isBetween(Duration.ofSeconds(2), Duration.ofMillis(2500));
    }

    @Test
    void anyOutweighsAFailureBeforeIt() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(1, Duration.ofSeconds(1)))
                .script(id, "worker-1", 1, FakeProcess.exits(137, Duration.ofSeconds(2)))
                .script(id, "worker-2", 1, FakeProcess.exits(0, Duration.ofSeconds(30)));
        world.submit(Spec.workers(3).restarts(1).success(new SuccessPolicy.AnyProcess()));
        JobRecord end = world.untilFinal(id);
        assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(end.status().cause()).isEmpty();
        assertThat(end.counters().restarts()).isZero();
    }

    @Test
    void anyFailsByTheFirstFailureWhenNoneIsLeft() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(3, Duration.ofSeconds(1)))
                .script(id, "worker-1", 1, FakeProcess.exits(4, Duration.ofSeconds(30)));
        world.submit(Spec.workers(2).sidecar("metrics").success(new SuccessPolicy.AnyProcess()));
        JobRecord end = world.untilFinal(id);
        assertThat(end.status().reason().orElseThrow()).startsWith("UserError: worker-0 ended with exit code 3");
        assertThat(ran(end)).isGreaterThanOrEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void anyRestartsTheGroupWhenNoneIsLeftAndAKillIsTheCause() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(137, Duration.ofSeconds(1)))
                .script(id, "worker-1", 1, FakeProcess.exits(1, Duration.ofSeconds(30)))
                .script(id, "worker-1", 2, FakeProcess.exits(0, Duration.ofSeconds(2)));
        world.submit(Spec.workers(2).restarts(1).success(new SuccessPolicy.AnyProcess()));
        JobRecord end = world.untilFinal(id);
        assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(end.counters().restarts()).isEqualTo(1);
    }

    @Test
    void anyDoesNotWaitForOneThatFailedBeforeItJoined() {
        JobId id = world.nextId();
        world.script(
                        id,
                        "worker-0",
                        1,
                        FakeProcess.exits(1, Duration.ofSeconds(1)).neverJoining())
                .script(id, "worker-1", 1, FakeProcess.exits(0, Duration.ofMinutes(20)));
        world.submit(Spec.workers(2).success(new SuccessPolicy.AnyProcess()));
        world.until(id, JobState.RUNNING);
        assertThat(world.untilFinal(id).state()).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void anyStillNeedsItsParameterServers() {
        JobId id = world.nextId();
        world.script(id, "ps-0", 1, FakeProcess.exits(3, Duration.ofSeconds(2)));
        world.submit(new Spec().role("worker", 2).role("ps", 1).tensorflow().success(new SuccessPolicy.AnyProcess()));
        JobRecord end = world.untilFinal(id);
        assertThat(end.state()).isEqualTo(JobState.FAILED);
        assertThat(end.status().reason().orElseThrow()).startsWith("UserError: ps-0");
    }

    @Test
    void allOfOneRoleMayDecide() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(0, Duration.ofSeconds(2)))
                .script(id, "worker-1", 1, FakeProcess.exits(0, Duration.ofSeconds(4)));
        world.submit(new Spec().role("chief", 1).role("worker", 2).success(new SuccessPolicy.OfRole("worker")));
        JobRecord end = world.untilFinal(id);
        assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(ran(end)).isBetween(Duration.ofSeconds(4), Duration.ofMillis(4500));
    }

    @Test
    void theDecidersSuccessCountsThoughAnotherFailedAtTheSameTime() {
        JobId id = world.nextId();
        world.script(id, "chief-0", 1, FakeProcess.exits(0, Duration.ofSeconds(2)))
                .script(id, "worker-0", 1, FakeProcess.exits(1, Duration.ofSeconds(2)));
        world.submit(new Spec().role("chief", 1).role("worker", 1).tensorflow());
        assertThat(world.untilFinal(id).state()).isEqualTo(JobState.SUCCEEDED);
    }
}
