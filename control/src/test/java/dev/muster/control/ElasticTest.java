package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Attempt;
import dev.muster.model.Capacity;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.Member;
import dev.muster.model.ProcessState;
import dev.muster.model.RestartPolicy.Action;
import dev.muster.model.RestartScope;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import dev.muster.testkit.FakeBackend.Op;
import dev.muster.testkit.FakeProcess;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Groups that go on without a lost worker, and that grow and shrink while they run. */
class ElasticTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private final World world = new World();

    @AfterEach
    void nothingWasViolated() {
        world.checkNothingViolated();
    }

    private static Spec job(int workers, int min, int max) {
        return Spec.workers(workers).elastic(min, max).backoff(Duration.ofSeconds(1), 1, Duration.ofSeconds(1));
    }

    private JobId running(Spec spec) {
        JobId job = world.submit(spec);
        world.until(job, JobState.RUNNING);
        return job;
    }

    private void kill(JobId job, String process) {
        world.backend.kill(World.key(job, process, world.process(job, process).attempt()), 137);
        world.settle();
    }

    private List<String> alive(JobId job) {
        return world.backend.alive(job).stream()
                .map(key -> key.name() + " " + key.attempt())
                .sorted()
                .toList();
    }

    private static List<String> names(JobRecord job) {
        return job.processes().stream()
                .map(attempt -> attempt.name().toString())
                .toList();
    }

    private static OptionalLong pid(Attempt attempt) {
        return attempt.pid();
    }

    @Test
    void a45_theOthersGoOnWhileALostWorkerIsBroughtBack() {
        JobId job = running(job(3, 2, 4).restarts(1));
        OptionalLong zero = pid(world.process(job, "worker-0"));
        kill(job, "worker-1");
        assertThat(alive(job)).containsExactly("rendezvous-0 1", "worker-0 1", "worker-2 1");
        JobRecord back = world.until(job, JobState.RUNNING);
        assertThat(alive(job)).containsExactly("rendezvous-0 1", "worker-0 1", "worker-1 2", "worker-2 1");
        assertThat(pid(world.process(job, "worker-0"))).isEqualTo(zero);
        assertThat(back.counters().restarts()).isEqualTo(1);
        assertThat(back.counters().attempt()).isEqualTo(1);
    }

    @Test
    void withoutARestartLeftItGoesOnAsLongAsEnoughStand() {
        JobId job = running(job(3, 2, 3));
        kill(job, "worker-1");
        world.pass(Duration.ofMinutes(1));
        assertThat(world.job(job).state()).isEqualTo(JobState.RUNNING);
        assertThat(world.job(job).status().reason().orElseThrow())
                .startsWith("Killed: worker-1")
                .contains("goes on without worker-1");
        kill(job, "worker-2");
        JobRecord end = world.untilFinal(job);
        assertThat(end.state()).isEqualTo(JobState.FAILED);
        assertThat(end.status().reason().orElseThrow()).contains("restart limit reached");
    }

    @Test
    void whatItGoesOnWithoutDoesNotCountForSuccess() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(0, Duration.ofMinutes(2)));
        world.script(id, "worker-2", 1, FakeProcess.exits(0, Duration.ofMinutes(2)));
        JobId job = running(job(3, 2, 3).model("net"));
        kill(job, "worker-1");
        assertThat(world.untilFinal(job).state()).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void theOneThatBringsTheModelIsStartedAnewThoughTheOthersHaveEnded() {
        JobId id = world.nextId();
        world.script(id, "worker-1", 1, FakeProcess.exits(0, Duration.ofSeconds(20)));
        world.script(id, "worker-2", 1, FakeProcess.exits(0, Duration.ofSeconds(20)));
        world.script(id, "worker-0", 2, FakeProcess.exits(0, Duration.ofSeconds(20)));
        JobId job = running(job(3, 2, 3).restarts(1).model("net"));
        world.pass(Duration.ofMinutes(1));
        kill(job, "worker-0");
        JobRecord end = world.untilFinal(job);
        assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(world.process(job, "worker-0").attempt()).isEqualTo(2);
        assertThat(world.process(job, "worker-0").state()).isEqualTo(ProcessState.EXITED);
    }

    @Test
    void aWorkersOwnErrorFailsTheJobAsEver() {
        JobId job = running(job(3, 1, 3).restarts(3));
        world.backend.kill(World.key(job, "worker-1", 1), 1);
        world.settle();
        JobRecord end = world.untilFinal(job);
        assertThat(end.status().cause()).contains(Cause.USER_ERROR);
        assertThat(end.counters().restarts()).isZero();
    }

    @Test
    void withoutTheCompanionTheGroupBeginsAnew() {
        JobId job = running(job(2, 1, 3).restarts(1));
        kill(job, "rendezvous-0");
        world.until(
                job, Duration.ofMinutes(1), now -> now.counters().attempt() == 2 && now.state() == JobState.RUNNING);
        assertThat(alive(job)).containsExactly("rendezvous-0 2", "worker-0 2", "worker-1 2");
    }

    @Test
    void whoFailsTogetherWithTheCompanionBeginsAnewWithAll() {
        JobId job = running(job(2, 1, 3).restarts(1));
        world.backend.kill(World.key(job, "worker-1", 1), 137);
        kill(job, "rendezvous-0");
        world.until(
                job, Duration.ofMinutes(1), now -> now.counters().attempt() == 2 && now.state() == JobState.RUNNING);
        assertThat(alive(job)).containsExactly("rendezvous-0 2", "worker-0 2", "worker-1 2");
    }

    @Test
    void scaledWhileItIsStoppedForTheFailureOfOneWhoIsToLeaveItBeginsAnewWithTheOthers() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.runs().ignoringTerm());
        JobId job = running(job(2, 1, 2)
                .restarts(1)
                .rule(42, Action.RESTART, false, RestartScope.GROUP)
                .grace(SOON));
        world.backend.kill(World.key(job, "worker-1", 1), 42);
        world.pass(Duration.ofSeconds(1));
        assertThat(world.process(job, "rendezvous-0").stopAsked()).isPresent();
        world.jobs.scale(job, "worker", 1);
        world.until(
                job, Duration.ofMinutes(1), now -> now.counters().attempt() == 2 && now.state() == JobState.RUNNING);
        assertThat(alive(job)).containsExactly("rendezvous-0 2", "worker-0 2");
    }

    private static Spec withParameterServer(int workers, int min, int max) {
        return new Spec()
                .role("worker", workers)
                .role("ps", 1)
                .tensorflow()
                .elastic(min, max)
                .restarts(1)
                .backoff(Duration.ofSeconds(1), 1, Duration.ofSeconds(1));
    }

    @Test
    void a45_workersComeToAParameterServerAndLeaveIt() {
        JobId job = running(withParameterServer(2, 1, 3).grace(SOON));
        kill(job, "worker-1");
        world.until(job, JobState.RUNNING);
        assertThat(alive(job)).containsExactly("ps-0 1", "worker-0 1", "worker-1 2");
        world.jobs.scale(job, "worker", 3);
        world.until(job, Duration.ofMinutes(1), now -> names(now).size() == 4 && now.state() == JobState.RUNNING);
        assertThat(alive(job)).containsExactly("ps-0 1", "worker-0 1", "worker-1 2", "worker-2 1");
        world.jobs.scale(job, "worker", 1);
        world.pass(SOON);
        assertThat(alive(job)).containsExactly("ps-0 1", "worker-0 1");
        assertThat(world.job(job).counters().restarts()).isEqualTo(1);
    }

    @Test
    void aServerKilledWhileItsGroupIsStoppedDoesNotLeaveThoseBehindWhoWereStopped() {
        world.script(world.nextId(), "ps-0", 1, FakeProcess.runs().ignoringTerm());
        JobId job = running(withParameterServer(2, 2, 2)
                .restarts(2)
                .rule(42, Action.RESTART, true, RestartScope.GROUP)
                .grace(Duration.ofSeconds(10)));
        world.backend.kill(World.key(job, "worker-1", 1), 42);
        world.pass(Duration.ofSeconds(1));
        world.backend.kill(World.key(job, "ps-0", 1), 137);
        world.until(
                job, Duration.ofMinutes(1), now -> now.counters().restarts() == 1 && now.state() == JobState.RUNNING);
        assertThat(world.job(job).counters().attempt()).as("of the group").isEqualTo(2);
        assertThat(alive(job)).containsExactly("ps-0 2", "worker-0 2", "worker-1 2");
    }

    @Test
    void withoutItsChiefAGroupDoesNotGoOn() {
        world.script(world.nextId(), "chief-0", 2, FakeProcess.runs().neverJoining());
        JobId job = running(withParameterServer(2, 1, 2).role("chief", 1).startDeadline(Duration.ofSeconds(30)));
        kill(job, "chief-0");
        JobRecord end = world.untilFinal(job);
        assertThat(end.status().cause()).contains(Cause.START_TIMEOUT);
        assertThat(end.status().reason().orElseThrow()).contains("chief-0 did not join");
    }

    @Test
    void scaledWhileItIsStoppedWithItsParameterServerItBeginsAnewWithTheOthers() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.runs().ignoringTerm());
        JobId job = running(withParameterServer(2, 1, 2)
                .rule(42, Action.RESTART, false, RestartScope.GROUP)
                .grace(SOON));
        world.backend.kill(World.key(job, "worker-1", 1), 42);
        world.pass(Duration.ofSeconds(1));
        assertThat(world.process(job, "ps-0").stopAsked()).isPresent();
        world.jobs.scale(job, "worker", 1);
        world.until(
                job, Duration.ofMinutes(1), now -> now.counters().attempt() == 2 && now.state() == JobState.RUNNING);
        assertThat(alive(job)).containsExactly("ps-0 2", "worker-0 2");
    }

    @Test
    void b32_belowTheMinimumItWaitsAndFailsAtStartDeadline() {
        world.script(world.nextId(), "worker-1", 2, FakeProcess.runs().neverJoining());
        JobId job = running(job(2, 2, 3).restarts(1).startDeadline(Duration.ofSeconds(30)));
        kill(job, "worker-1");
        world.until(job, JobState.STARTING);
        world.pass(Duration.ofSeconds(10));
        assertThat(world.job(job).state()).isEqualTo(JobState.STARTING);
        assertThat(world.job(job).status().reason())
                .contains("1 worker is there and elastic.min is 2: waits for worker-1");
        JobRecord end = world.untilFinal(job);
        assertThat(end.status().cause()).contains(Cause.START_TIMEOUT);
        assertThat(end.status().reason().orElseThrow()).contains("worker-1 did not join");
    }

    @Test
    void b32_theWorkerComesBackAndAllFinish() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(0, Duration.ofMinutes(1)));
        world.script(
                id, "worker-1", 2, FakeProcess.exits(0, Duration.ofMinutes(1)).joining(Duration.ofSeconds(10)));
        JobId job = running(job(2, 2, 3).restarts(1));
        kill(job, "worker-1");
        world.until(job, JobState.STARTING);
        assertThat(world.untilFinal(job).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(world.path(job))
                .containsSubsequence("Running", "Restarting", "Admitted", "Starting", "Running", "Succeeded");
    }

    @Test
    void whoDoesNotComeBackInTimeIsDoneWithout() {
        world.script(world.nextId(), "worker-2", 2, FakeProcess.runs().neverJoining());
        JobId job = running(job(3, 2, 3).restarts(1).startDeadline(Duration.ofSeconds(30)));
        kill(job, "worker-2");
        world.until(job, JobState.STARTING);
        world.pass(Duration.ofSeconds(40));
        assertThat(world.job(job).state()).isEqualTo(JobState.RUNNING);
        assertThat(alive(job)).contains("worker-0 1", "worker-1 1");
    }

    @Test
    void b33_askedBeyondItsBoundsItRefuses() {
        JobId job = running(job(2, 2, 4));
        assertThat(world.jobs.scale(job, "worker", 1))
                .isEqualTo(new Jobs.Result.Refused("elastic allows 2 to 4 workers, not 1"));
        assertThat(world.jobs.scale(job, "worker", 5))
                .isEqualTo(new Jobs.Result.Refused("elastic allows 2 to 4 workers, not 5"));
        assertThat(world.jobs.scale(job, "rendezvous", 2)).isInstanceOf(Jobs.Result.Refused.class);
        assertThat(world.jobs.scale(world.submit(Spec.workers(1).named("fixed")), "worker", 2))
                .isInstanceOf(Jobs.Result.Refused.class);
        assertThat(world.jobs.scale(job, "worker", 2)).isEqualTo(new Jobs.Result.Done());
        assertThat(alive(job)).containsExactly("rendezvous-0 1", "worker-0 1", "worker-1 1");
    }

    @Test
    void b33_itGrowsBesideThoseWhoRun() {
        JobId job = running(job(2, 1, 4));
        assertThat(world.jobs.scale(job, "worker", 4)).isEqualTo(new Jobs.Result.Done());
        world.until(job, Duration.ofMinutes(1), now -> names(now).size() == 5 && now.state() == JobState.RUNNING);
        assertThat(alive(job))
                .containsExactly("rendezvous-0 1", "worker-0 1", "worker-1 1", "worker-2 1", "worker-3 1");
        assertThat(names(world.job(job)))
                .containsExactly("worker-0", "worker-1", "worker-2", "worker-3", "rendezvous-0");
        assertThat(world.job(job).counters().restarts()).isZero();
        assertThat(world.job(job).spec().role("worker").count()).isEqualTo(4);
    }

    @Test
    void b33_theHighestLeaveAndAreNoFailure() {
        JobId job = running(job(4, 2, 4).grace(SOON));
        assertThat(world.jobs.scale(job, "worker", 2)).isEqualTo(new Jobs.Result.Done());
        world.pass(SOON);
        assertThat(alive(job)).containsExactly("rendezvous-0 1", "worker-0 1", "worker-1 1");
        assertThat(names(world.job(job))).containsExactly("worker-0", "worker-1", "rendezvous-0");
        assertThat(world.job(job).state()).isEqualTo(JobState.RUNNING);
        assertThat(world.job(job).placement().hosts()).doesNotContainKey(new Member("worker", 3));
        assertThat(world.store.attempts(job, Optional.empty()))
                .filteredOn(attempt -> attempt.name().index() > 1)
                .extracting(Attempt::state)
                .containsExactly(ProcessState.EXITED, ProcessState.EXITED);
    }

    @Test
    void thoseWhoLeaveAtOnceGiveUpTheirPlacesTogether() {
        JobId id = world.nextId();
        world.script(id, "rendezvous-0", 1, FakeProcess.runs().joining(Duration.ofSeconds(20)));
        JobId job = world.submit(job(3, 1, 3));
        world.until(job, JobState.STARTING);
        world.jobs.scale(job, "worker", 1);
        world.until(job, JobState.RUNNING);
        assertThat(alive(job)).containsExactly("rendezvous-0 1", "worker-0 1");
    }

    @Test
    void whatLeaversHoldIsFreeOnceTheyAreGone() {
        world.backend.capacity(new Capacity(4, 1, 1, 0));
        JobId id = world.nextId();
        world.script(id, "worker-2", 1, FakeProcess.runs().ignoringTerm());
        JobId job = running(job(3, 2, 4).grace(Duration.ofSeconds(20)));
        JobId other = world.submit(Spec.workers(1).named("other"));
        world.jobs.scale(job, "worker", 2);
        world.pass(Duration.ofSeconds(10));
        assertThat(world.job(other).state()).isEqualTo(JobState.QUEUED);
        world.until(other, JobState.RUNNING);
        assertThat(alive(job)).containsExactly("rendezvous-0 1", "worker-0 1", "worker-1 1");
    }

    @Test
    void withoutRoomItWaitsAndThoseWhoQueuedBeforeGoFirst() {
        world.backend.capacity(new Capacity(5, 1, 1, 0));
        JobId job = running(job(2, 1, 4));
        JobId small = running(Spec.workers(2).named("small"));
        world.jobs.scale(job, "worker", 3);
        world.pass(SOON);
        assertThat(world.job(job).state()).isEqualTo(JobState.RUNNING);
        assertThat(world.job(job).status().reason()).contains("is to have 3 workers instead of 2, once there is room");
        JobId waits = world.submit(Spec.workers(2).named("waits"));
        world.pass(SOON);
        world.jobs.cancel(small);
        world.until(waits, JobState.RUNNING);
        assertThat(alive(job)).hasSize(3);
        world.jobs.cancel(waits);
        world.until(job, Duration.ofMinutes(1), now -> names(now).size() == 4 && now.state() == JobState.RUNNING);
    }

    @Test
    void moreThanThereWillEverBeIsRefused() {
        world.backend.capacity(new Capacity(4, 1, 1, 0));
        JobId job = running(job(2, 1, 8));
        assertThat(world.jobs.scale(job, "worker", 4))
                .isInstanceOfSatisfying(
                        Jobs.Result.Refused.class,
                        refused -> assertThat(refused.reason()).startsWith("it could never have 4 workers"));
    }

    @Test
    void scaledAwayAndBackAtOnceItIsWhole() {
        JobId job = running(job(3, 1, 3).grace(SOON));
        world.jobs.scale(job, "worker", 1);
        world.jobs.scale(job, "worker", 3);
        world.pass(Duration.ofSeconds(20));
        JobRecord now = world.until(job, JobState.RUNNING);
        assertThat(names(now)).containsExactly("worker-0", "worker-1", "worker-2", "rendezvous-0");
        assertThat(world.backend.alive(job)).hasSize(4);
    }

    @Test
    void whatWaitsIsScaledInItsText() {
        JobId job = world.submit(job(2, 1, 4).suspended());
        world.jobs.scale(job, "worker", 4);
        world.jobs.resume(job, Optional.empty());
        assertThat(names(world.until(job, JobState.RUNNING))).hasSize(5);
        world.jobs.suspend(job);
        world.until(job, JobState.SUSPENDED);
        world.jobs.scale(job, "worker", 1);
        world.jobs.resume(job, Optional.empty());
        assertThat(names(world.until(job, JobState.RUNNING))).containsExactly("worker-0", "rendezvous-0");
    }

    @Test
    void aServiceKilledAtAnyMomentBringsItToItsSize() {
        JobId job = running(job(2, 1, 4).grace(SOON));
        for (int count : new int[] {4, 1, 3}) {
            world.jobs.scale(job, "worker", count);
            for (int steps = 0; steps < 40; steps++) {
                world.step();
                if (steps % 3 == 0) {
                    world.boot();
                }
            }
            world.pass(Duration.ofSeconds(20));
            JobRecord now = world.until(job, JobState.RUNNING);
            assertThat(names(now)).hasSize(count + 1);
            assertThat(world.backend.alive(job)).hasSize(count + 1);
        }
    }

    @Test
    void whereMoreCannotBePlacedItGoesOnAsItIs() {
        JobId job = running(job(2, 1, 4));
        world.backend.before(call -> {
            if (call.op() == Op.PLACE) {
                throw new BackendException(Kind.FAILED, Cause.UNSCHEDULABLE, "no port is free");
            }
        });
        world.jobs.scale(job, "worker", 3);
        world.pass(SOON);
        assertThat(world.job(job).state()).isEqualTo(JobState.RUNNING);
        assertThat(world.job(job).spec().role("worker").count()).isEqualTo(2);
        assertThat(alive(job)).containsExactly("rendezvous-0 1", "worker-0 1", "worker-1 1");
    }
}
