package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.testkit.FakeBackend.Op;
import dev.muster.testkit.FakeProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How processes are ended, and that nothing new begins before all of the old is gone. */
final class StoppingTest {
    private final World world = new World();

    @AfterEach
    void nothingViolated() {
        world.checkNothingViolated();
    }

    @Test
    void aProcessIsAskedOnceAndKilledOnlyWhenTheGraceTimeHasPassed() {
        world.otherwise(FakeProcess.runs().ignoringTerm());
        JobId id = world.submit(Spec.workers(2).grace(Duration.ofSeconds(30)));
        world.until(id, JobState.RUNNING);
        List<Instant> asked = new ArrayList<>();
        List<Instant> killed = new ArrayList<>();
        world.backend.before(call -> {
            if (call.op() == Op.ASK) {
                asked.add(world.clock.now());
            } else if (call.op() == Op.KILL) {
                killed.add(world.clock.now());
            }
        });
        Instant now = world.clock.now();
        world.jobs.cancel(id);
        for (int second = 0; second < 29; second++) {
            world.pass(Duration.ofSeconds(1));
            world.reconciler.wake(id); // whatever there is news of
        }
        assertThat(asked).containsExactly(now, now);
        assertThat(killed).isEmpty();
        assertThat(world.untilFinal(id).state()).isEqualTo(JobState.CANCELLED);
        assertThat(killed).isNotEmpty().allMatch(at -> !at.isBefore(now.plusSeconds(30)));
    }

    @Test
    void aGroupIsStartedAnewOnlyWhenEveryProcessOfTheOldOneIsGone() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(137, Duration.ofSeconds(2)));
        world.script(id, "worker-1", 1, FakeProcess.runs().ignoringTerm());
        List<String> early = new ArrayList<>();
        world.backend.before(call -> {
            boolean again =
                    call.op() == Op.START && call.process().orElseThrow().attempt() == 2;
            if (again && world.backend.alive(id).stream().anyMatch(key -> key.attempt() == 1)) {
                early.add(call.toString());
            }
        });
        world.submit(Spec.workers(2).restarts(1).grace(Duration.ofSeconds(20)));
        world.until(id, JobState.RESTARTING);
        world.pass(Duration.ofSeconds(10));
        assertThat(world.job(id).state()).isEqualTo(JobState.RESTARTING);
        assertThat(world.backend.alive(id)).containsExactly(World.key(id, "worker-1", 1));
        world.until(id, JobState.RUNNING);
        assertThat(early).isEmpty();
        assertThat(world.job(id).counters()).isEqualTo(new JobRecord.Counters(2, 1, 0));
    }

    @Test
    void aStrayThatComesBackIsKilledBeforeTheGroupIsStartedAnew() {
        JobId id = world.submit(Spec.workers(2).restarts(1).backoff(Duration.ofSeconds(5), 1, Duration.ofSeconds(5)));
        world.until(id, JobState.RUNNING);
        world.backend.forget(World.key(id, "worker-1", 1));
        assertThat(world.until(id, JobState.RESTARTING).status().cause()).contains(Cause.LOST);
        world.pass(Duration.ofSeconds(2));
        world.backend.recall(World.key(id, "worker-1", 1));
        assertThat(world.backend.alive(id)).contains(World.key(id, "worker-1", 1));
        world.until(id, JobState.RUNNING);
        assertThat(world.backend.exitCode(World.key(id, "worker-1", 1))).contains(137);
        assertThat(world.backend.alive(id))
                .containsExactlyInAnyOrder(World.key(id, "worker-0", 2), World.key(id, "worker-1", 2));
    }

    @Test
    void aStrayOfAnEarlierAttemptIsKilledWhileTheNextOneRuns() {
        JobId id = world.submit(Spec.workers(2).restarts(1));
        world.until(id, JobState.RUNNING);
        world.backend.forget(World.key(id, "worker-1", 1));
        world.until(id, JobState.RESTARTING);
        world.until(id, JobState.RUNNING);
        world.backend.recall(World.key(id, "worker-1", 1));
        world.pass(Duration.ofSeconds(6));
        assertThat(world.backend.exitCode(World.key(id, "worker-1", 1))).contains(137);
        assertThat(world.job(id).state()).isEqualTo(JobState.RUNNING);
        assertThat(world.job(id).counters().restarts()).isEqualTo(1);
    }

    @Test
    void aJobEndsOnlyWhenNoStrayOfItRuns() {
        JobId id = world.submit(Spec.workers(2));
        world.until(id, JobState.RUNNING);
        world.backend.forget(World.key(id, "worker-1", 1));
        boolean[] back = {false};
        world.backend.before(call -> {
            if (call.op() == Op.RELEASE) {
                assertThat(world.backend.alive(id)).isEmpty();
            } else if (call.op() == Op.ASK && !back[0]) {
                back[0] = true;
                world.backend.recall(World.key(id, "worker-1", 1));
            }
        });
        assertThat(world.untilFinal(id).state()).isEqualTo(JobState.FAILED);
        assertThat(back[0]).isTrue();
        assertThat(world.backend.exitCode(World.key(id, "worker-1", 1))).contains(137);
    }

    @Test
    void cancelWhileTheModelIsBeingRegisteredInterruptsTheRegistration() {
        JobId id = world.submit(Spec.workers(1).model("digits"));
        world.until(id, JobState.RUNNING);
        boolean[] interrupted = {false};
        world.models.before(() -> {
            world.jobs.cancel(id);
            world.workWithoutSlow();
            interrupted[0] = Thread.interrupted();
            world.models.fail(Cause.INTERNAL, "stopped before it was registered");
        });
        world.backend.kill(World.key(id, "worker-0", 1), 0);
        assertThat(world.untilFinal(id).state()).isEqualTo(JobState.CANCELLED);
        assertThat(interrupted[0]).isTrue();
        assertThat(world.models.of(id)).isEmpty();
    }
}
