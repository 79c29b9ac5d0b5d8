package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.control.decide.Demand;
import dev.muster.model.Capacity;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.ProcessState;
import dev.muster.spi.Sighting;
import dev.muster.testkit.FakeBackend.Op;
import dev.muster.testkit.FakeProcess;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Processes that are held ready to take the place of lost ones. */
class StandbyTest {
    private final World world = new World();

    @AfterEach
    void nothingWasViolated() {
        world.checkNothingViolated();
    }

    private static Spec job(int workers) {
        return Spec.workers(workers).standby(1).restarts(3).backoff(Duration.ofSeconds(1), 1, Duration.ofSeconds(1));
    }

    private JobId running(Spec spec) {
        JobId job = world.submit(spec);
        world.until(job, JobState.RUNNING);
        world.pass(Duration.ofSeconds(2));
        return job;
    }

    private void end(JobId job, String process, int code) {
        world.backend.kill(World.key(job, process, world.process(job, process).attempt()), code);
        world.settle();
    }

    private List<String> alive(JobId job) {
        return world.backend.alive(job).stream()
                .map(key -> key.name() + " " + key.attempt())
                .sorted()
                .toList();
    }

    private OptionalLong pid(JobId job, String process) {
        return world.process(job, process).pid();
    }

    @Test
    void oneForEachRankIsStartedOnceTheGroupRuns() {
        JobId id = world.nextId();
        world.script(id, "worker-1", 1, FakeProcess.runs().joining(Duration.ofSeconds(20)));
        JobId job = world.submit(job(2));
        world.pass(Duration.ofSeconds(10));
        assertThat(world.job(job).state()).isEqualTo(JobState.STARTING);
        assertThat(alive(job)).containsExactly("worker-0 1", "worker-1 1");
        world.until(job, JobState.RUNNING);
        world.pass(Duration.ofSeconds(2));
        assertThat(alive(job)).containsExactly("standby-0 1", "standby-1 1", "worker-0 1", "worker-1 1");
        assertThat(world.process(job, "standby-0").state()).isEqualTo(ProcessState.RUNNING);
    }

    @Test
    void theyTakePlacesAndMemoryButNoCores() {
        JobId job = running(job(2).asking(1000, 1 << 20, 1));
        assertThat(Demand.of(world.job(job))).isEqualTo(new Capacity(4, 2000, 4 << 20, 2));
    }

    @Test
    void whereProcessesStartAnewSinglyOneIsHeldForAll() {
        JobId job = running(new Spec()
                .role("chief", 1)
                .role("worker", 2)
                .role("ps", 1)
                .tensorflow()
                .standby(1)
                .restarts(1));
        assertThat(alive(job)).contains("standby-0 1").doesNotContain("standby-1 1");
        OptionalLong ps = pid(job, "ps-0");
        end(job, "worker-1", 137);
        world.until(job, JobState.RUNNING);
        world.pass(Duration.ofSeconds(2));
        assertThat(alive(job)).contains("worker-1 2", "standby-0 2");
        assertThat(pid(job, "ps-0")).isEqualTo(ps);
    }

    @Test
    void theyStayWhileTheGroupIsStoppedTakeItsPlacesAndOthersCome() {
        JobId job = running(job(2));
        end(job, "worker-1", 137);
        world.until(job, JobState.RESTARTING);
        assertThat(alive(job)).containsExactly("standby-0 1", "standby-1 1");
        JobRecord back = world.until(job, JobState.RUNNING);
        assertThat(back.counters().attempt()).isEqualTo(2);
        assertThat(back.counters().restarts()).isEqualTo(1);
        world.pass(Duration.ofSeconds(2));
        assertThat(alive(job)).containsExactly("standby-0 2", "standby-1 2", "worker-0 2", "worker-1 2");
        assertThat(world.job(job).state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    void oneThatIsKilledIsFollowedByAnotherAndNothingIsCounted() {
        JobId job = running(job(2));
        end(job, "standby-0", 137);
        assertThat(alive(job)).containsExactly("standby-1 1", "worker-0 1", "worker-1 1");
        world.pass(Duration.ofSeconds(12));
        assertThat(alive(job)).containsExactly("standby-0 2", "standby-1 1", "worker-0 1", "worker-1 1");
        assertThat(world.job(job).state()).isEqualTo(JobState.RUNNING);
        assertThat(world.job(job).counters().restarts()).isZero();
        assertThat(world.job(job).status().cause()).isEmpty();
    }

    @Test
    void oneThatFailsByItselfIsTriedAgainWithTheGroupOnly() {
        JobId job = running(job(2));
        end(job, "standby-0", 1);
        world.pass(Duration.ofMinutes(5));
        assertThat(alive(job)).containsExactly("standby-1 1", "worker-0 1", "worker-1 1");
        assertThat(world.process(job, "standby-0").exit().orElseThrow().cause()).contains(Cause.USER_ERROR);
        end(job, "worker-0", 137);
        world.until(
                job, Duration.ofMinutes(1), now -> now.counters().attempt() == 2 && now.state() == JobState.RUNNING);
        world.pass(Duration.ofSeconds(2));
        assertThat(alive(job)).containsExactly("standby-0 2", "standby-1 2", "worker-0 2", "worker-1 2");
    }

    @Test
    void lostTogetherWithAWorkerItIsNotTheCause() {
        JobId job = running(job(2));
        world.backend.kill(World.key(job, "standby-0", 1), 137);
        end(job, "worker-1", 137);
        JobRecord restarting = world.until(job, JobState.RESTARTING);
        assertThat(restarting.status().reason().orElseThrow()).startsWith("Killed: worker-1 ");
        world.until(job, JobState.RUNNING);
        world.pass(Duration.ofSeconds(15));
        assertThat(alive(job)).containsExactly("standby-0 2", "standby-1 2", "worker-0 2", "worker-1 2");
        assertThat(world.job(job).counters().restarts()).isEqualTo(1);
    }

    @Test
    void anotherLossWhileTheyAreBeingTaken() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 2, FakeProcess.runs().joining(Duration.ofSeconds(5)));
        JobId job = running(job(2));
        end(job, "worker-1", 137);
        world.until(job, JobState.STARTING);
        world.pass(Duration.ofMillis(500));
        end(job, "worker-1", 137);
        world.until(
                job, Duration.ofMinutes(1), now -> now.counters().attempt() == 3 && now.state() == JobState.RUNNING);
        world.pass(Duration.ofSeconds(2));
        assertThat(alive(job)).containsExactly("standby-0 2", "standby-1 2", "worker-0 3", "worker-1 3");
        assertThat(world.job(job).counters().restarts()).isEqualTo(2);
    }

    private Optional<String> going(JobId job) {
        return world.jobs.get(job).orElseThrow().going().warning();
    }

    private static FakeProcess withoutRoom(Duration until) {
        return FakeProcess.runs().held(new Sighting.Hold(Cause.UNSCHEDULABLE, "no node has room"), until);
    }

    @Test
    void whereAMemberOfTheGroupFindsNoRoomTheyGiveTheirsAndComeAgainLater() {
        JobId id = world.nextId();
        world.script(id, "worker-1", 2, withoutRoom(Duration.ofMinutes(1)));
        world.script(id, "standby-1", 1, withoutRoom(Duration.ofHours(1)));
        JobId job = running(job(2));
        end(job, "worker-1", 137);
        world.until(job, JobState.STARTING);
        world.pass(Duration.ofSeconds(2));
        assertThat(alive(job)).containsExactly("standby-1 1", "worker-0 2", "worker-1 2");
        world.pass(Duration.ofSeconds(6));
        assertThat(alive(job)).containsExactly("worker-0 2", "worker-1 2");
        assertThat(world.job(job).status().reason()).contains("Unschedulable: no node has room");
        world.until(job, JobState.RUNNING);
        world.pass(Duration.ofSeconds(2));
        assertThat(alive(job)).containsExactly("standby-0 2", "standby-1 2", "worker-0 2", "worker-1 2");
        assertThat(world.job(job).counters().restarts()).isEqualTo(1);
    }

    @Test
    void oneThatIgnoresThatItIsToGiveItsRoomIsKilledThoughTheGroupRuns() {
        JobId id = world.nextId();
        world.script(id, "worker-1", 2, withoutRoom(Duration.ofSeconds(8)));
        world.script(id, "standby-2", 1, FakeProcess.runs().ignoringTerm());
        JobId job = running(job(2).standby(2).grace(Duration.ofSeconds(20)));
        end(job, "worker-1", 137);
        world.until(
                job, Duration.ofMinutes(1), now -> now.counters().attempt() == 2 && now.state() == JobState.RUNNING);
        world.pass(Duration.ofSeconds(2));
        assertThat(alive(job)).contains("standby-2 1", "standby-3 2");
        world.pass(Duration.ofSeconds(30));
        assertThat(alive(job)).contains("standby-2 2", "standby-3 2").doesNotContain("standby-2 1");
    }

    @Test
    void whatKeepsOneOfThemIsToldAndIsNotWhatKeepsTheGroup() {
        JobId id = world.nextId();
        world.script(id, "standby-0", 1, withoutRoom(Duration.ofHours(1)));
        world.script(id, "worker-1", 2, FakeProcess.runs().neverJoining());
        JobId job = running(job(2));
        assertThat(going(job)).contains("standby-0 cannot be held ready yet: Unschedulable: no node has room");
        end(job, "worker-1", 137);
        world.until(job, JobState.STARTING);
        world.pass(Duration.ofMinutes(1));
        assertThat(world.job(job).status().reason().orElseThrow()).doesNotContain("Unschedulable");
        assertThat(going(job).orElseThrow()).startsWith("worker-1 runs since ");
        JobRecord end = world.untilFinal(job);
        assertThat(end.status().cause()).contains(Cause.START_TIMEOUT);
        assertThat(alive(job)).isEmpty();
    }

    @Test
    void cancelledTheyGoWithTheGroup() {
        JobId job = running(job(2));
        world.jobs.cancel(job);
        assertThat(world.untilFinal(job).state()).isEqualTo(JobState.CANCELLED);
        assertThat(alive(job)).isEmpty();
        assertThat(world.backend.holds(job)).isFalse();
    }

    @Test
    void resumedTheGroupHasTheNextNumberHoweverOftenTheyWereReplaced() {
        JobId job = running(job(2).grace(Duration.ofSeconds(1)));
        for (int lost = 0; lost < 2; lost++) {
            end(job, "standby-0", 137);
            world.pass(Duration.ofSeconds(15));
        }
        assertThat(alive(job)).containsExactly("standby-0 3", "standby-1 1", "worker-0 1", "worker-1 1");
        world.jobs.suspend(job);
        world.until(job, JobState.SUSPENDED);
        world.jobs.resume(job, Optional.empty());
        world.until(job, JobState.RUNNING);
        world.pass(Duration.ofSeconds(2));
        assertThat(alive(job)).containsExactly("standby-0 4", "standby-1 2", "worker-0 2", "worker-1 2");
    }

    @Test
    void suspendedTheyDoNotKeepTheGroupFromLeavingAndComeAgain() {
        JobId id = world.nextId();
        for (String worker : List.of("worker-0", "worker-1")) {
            world.script(id, worker, 1, FakeProcess.runs().leavingOnStopFile(Duration.ofSeconds(2)));
        }
        JobId job = running(job(2).grace(Duration.ofMinutes(5)));
        world.jobs.suspend(job);
        world.pass(Duration.ofSeconds(3));
        assertThat(world.job(job).state()).isEqualTo(JobState.SUSPENDED);
        assertThat(alive(job)).isEmpty();
        world.jobs.resume(job, Optional.empty());
        world.until(job, JobState.RUNNING);
        world.pass(Duration.ofSeconds(2));
        assertThat(alive(job)).containsExactly("standby-0 2", "standby-1 2", "worker-0 2", "worker-1 2");
    }

    @Test
    void theSuccessOfTheRanksIsTheJobs() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(0, Duration.ofMinutes(1)));
        world.script(id, "worker-1", 1, FakeProcess.exits(0, Duration.ofMinutes(1)));
        JobId job = running(job(2));
        assertThat(world.untilFinal(job).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(alive(job)).isEmpty();
    }

    @Test
    void aServiceThatIsKilledWhileOneIsTakenGoesOn() {
        JobId job = running(job(2));
        boolean[] killed = {false};
        world.backend.after(call -> {
            if (call.op() == Op.START && !killed[0]) {
                killed[0] = true;
                throw new ServiceDied();
            }
        });
        end(job, "worker-1", 137);
        try {
            world.until(job, Duration.ofMinutes(1), now -> killed[0]);
        } catch (ServiceDied expected) {
            assertThat(killed[0]).isTrue();
        }
        world.backend.after(call -> {});
        world.boot();
        world.until(
                job, Duration.ofMinutes(1), now -> now.counters().attempt() == 2 && now.state() == JobState.RUNNING);
        world.pass(Duration.ofSeconds(2));
        assertThat(alive(job)).containsExactly("standby-0 2", "standby-1 2", "worker-0 2", "worker-1 2");
        assertThat(world.job(job).counters().restarts()).isEqualTo(1);
    }

    /** Stands for kill -9. */
    private static final class ServiceDied extends Error {
        private static final long serialVersionUID = 1;
    }

    @Test
    void aNewServiceStartsThoseThatAreLacking() {
        JobId job = running(job(2));
        OptionalLong worker = pid(job, "worker-0");
        world.backend.kill(World.key(job, "standby-1", 1), 137);
        world.boot();
        world.pass(Duration.ofSeconds(15));
        assertThat(alive(job)).containsExactly("standby-0 1", "standby-1 2", "worker-0 1", "worker-1 1");
        assertThat(pid(job, "worker-0")).isEqualTo(worker);
        assertThat(world.job(job).counters().attempt()).isEqualTo(1);
    }
}
