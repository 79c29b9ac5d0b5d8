package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Attempt;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.ProcessState;
import dev.muster.model.Progress;
import dev.muster.spi.BackendException;
import dev.muster.spi.Telemetry.Signs;
import dev.muster.testkit.FakeBackend.Op;
import dev.muster.testkit.FakeProcess;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** From the queue to a running group: who goes first, who has joined, what a start without contact does, when clocks begin. */
final class JoiningTest {
    private final World world = new World();

    @AfterEach
    void nothingViolated() {
        world.checkNothingViolated();
    }

    private static Signs reports(JobId id, String process) {
        return new Signs(Set.of(World.key(id, process, 1)), Map.of(), Progress.NONE, 0, List.of());
    }

    @Test
    void whoHasReportedHasJoinedThoughItsPortWasNeverSeen() {
        JobId id = world.nextId();
        world.script(id, "worker-1", 1, FakeProcess.runs().neverJoining());
        world.submit(Spec.workers(2));
        world.pass(Duration.ofSeconds(5));
        assertThat(world.job(id).state()).isEqualTo(JobState.STARTING);
        assertThat(world.process(id, "worker-0").state()).isEqualTo(ProcessState.RUNNING);
        assertThat(world.process(id, "worker-1").state()).isEqualTo(ProcessState.STARTING);
        world.telemetry.says(id, reports(id, "worker-1"));
        world.settle();
        assertThat(world.job(id).state()).isEqualTo(JobState.RUNNING);
        assertThat(world.process(id, "worker-1").joined()).isTrue();
    }

    private Optional<String> warning(JobId id) {
        return world.jobs.get(id).orElseThrow().going().warning();
    }

    @Test
    void a24_whoHasNotJoinedIsNamedWithSinceWhenItRunsWhileItIsWaitedFor() {
        JobId id = world.nextId();
        world.script(id, "worker-1", 1, FakeProcess.runs().joining(Duration.ofSeconds(60)));
        world.submit(Spec.workers(3).sidecar("metrics"));
        world.pass(Duration.ofSeconds(3));
        assertThat(warning(id)).as("no start is that fast").isEmpty();
        world.pass(Duration.ofSeconds(5));
        Instant since = world.process(id, "worker-1").startedAt().orElseThrow().truncatedTo(ChronoUnit.SECONDS);
        assertThat(warning(id)).contains("worker-1 runs since " + since + " and has not joined (2 of 3 have joined)");
        world.pass(Duration.ofSeconds(60));
        assertThat(world.job(id).state()).isEqualTo(JobState.RUNNING);
        assertThat(warning(id)).isEmpty();
    }

    @Test
    void a24_whoEndedBeforeItJoinedIsNamedToo() {
        JobId id = world.nextId();
        world.script(
                id, "worker-0", 1, FakeProcess.exits(0, Duration.ofSeconds(1)).neverJoining());
        world.script(id, "worker-2", 1, FakeProcess.runs().neverJoining());
        world.submit(Spec.workers(3));
        world.pass(Duration.ofSeconds(10));
        assertThat(warning(id).orElseThrow())
                .startsWith("worker-2 runs since ")
                .endsWith(" and has not joined; worker-0 has ended without having joined (1 of 3 has joined)");
    }

    @Test
    void aReportOfAnotherProcessIsNotItsOwn() {
        JobId id = world.nextId();
        world.script(id, "worker-1", 1, FakeProcess.runs().neverJoining());
        world.submit(Spec.workers(2));
        world.telemetry.says(id, reports(id, "worker-0"));
        world.pass(Duration.ofSeconds(5));
        assertThat(world.job(id).state()).isEqualTo(JobState.STARTING);
    }

    @Test
    void aSidecarHasJoinedWhenItRunsAndIsShownSo() {
        JobId id = world.submit(Spec.workers(1).sidecar("metrics"));
        world.until(id, JobState.RUNNING);
        world.pass(Duration.ofSeconds(1));
        Attempt sidecar = world.process(id, "metrics-0");
        assertThat(sidecar.state()).isEqualTo(ProcessState.RUNNING);
        assertThat(sidecar.joined()).isTrue();
    }

    @Test
    void a28_whoWasQueuedAgainLaterComesLater() {
        world.backend.capacity(new dev.muster.model.Capacity(1, 1, 1, 0));
        JobId first = world.submit(Spec.workers(1).named("first"));
        world.until(first, JobState.RUNNING);
        JobId second = world.submit(Spec.workers(1).named("second"));
        world.pass(Duration.ofSeconds(1));
        JobId third = world.submit(Spec.workers(1).named("third"));
        world.pass(Duration.ofSeconds(1));
        world.jobs.suspend(second);
        world.pass(Duration.ofSeconds(1));
        world.jobs.resume(second, Optional.empty());
        world.jobs.cancel(first);
        world.until(third, JobState.RUNNING);
        assertThat(world.job(second).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void b80_placesThatAreNotReachedAreAskedForAgainUncounted() {
        int[] cut = {5};
        world.backend.before(call -> {
            if (call.op() == Op.PLACE && cut[0]-- > 0) {
                throw new BackendException(BackendException.Kind.NO_CONTACT, Cause.INTERNAL, "no answer");
            }
        });
        JobId id = world.submit(Spec.workers(2));
        JobRecord running = world.until(id, JobState.RUNNING);
        assertThat(running.counters()).isEqualTo(new JobRecord.Counters(1, 0, 0));
        assertThat(world.environments.prepared())
                .as("what was slow is not done again")
                .isEqualTo(1);
    }

    @Test
    void b80_aGroupThatCannotBeReachedWhileItStartsIsNotJudged() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.runs().joining(Duration.ofSeconds(20)));
        world.submit(Spec.workers(1).startDeadline(Duration.ofSeconds(30)));
        world.until(id, JobState.STARTING);
        world.backend.before(call -> {
            throw new BackendException(BackendException.Kind.NO_CONTACT, Cause.INTERNAL, "no answer");
        });
        world.pass(Duration.ofMinutes(5));
        assertThat(world.job(id).state()).isEqualTo(JobState.STARTING);
        assertThat(world.job(id).status().noContactSince()).isPresent();
        world.backend.before(call -> {});
        assertThat(world.until(id, JobState.RUNNING).status().noContactSince()).isEmpty();
    }

    @Test
    void theStallClockBeginsWhenTheGroupRunsAndAnewAfterARestart() {
        JobId id = world.nextId();
        world.otherwise(FakeProcess.runs().joining(Duration.ofSeconds(50)));
        world.submit(Spec.workers(1).restarts(1).stallTimeout(Duration.ofSeconds(60)));
        Instant running = world.until(id, JobState.RUNNING)
                .times()
                .startedAt()
                .orElseThrow()
                .plusSeconds(50);
        world.pass(Duration.ofSeconds(58));
        assertThat(world.job(id).state()).isEqualTo(JobState.RUNNING);
        JobRecord stalled = world.until(id, JobState.RESTARTING);
        assertThat(stalled.status().cause()).contains(Cause.STALLED);
        assertThat(Duration.between(running, world.clock.now()))
                .isBetween(Duration.ofSeconds(60), Duration.ofSeconds(61));
        world.until(id, JobState.RUNNING);
        world.pass(Duration.ofSeconds(58));
        assertThat(world.job(id).state()).isEqualTo(JobState.RUNNING);
        assertThat(world.job(id).counters().restarts()).isEqualTo(1);
    }

    @Test
    void theLastProgressIsStoredWhenTheJobEndsThoughItCameAMomentBefore() {
        JobId id = world.submit(Spec.workers(1));
        world.until(id, JobState.RUNNING);
        List<Signs> said = new ArrayList<>();
        for (int step = 1; step <= 3; step++) {
            said.add(Said.step(step));
        }
        said.forEach(signs -> {
            world.telemetry.says(id, signs);
            world.settle();
        });
        world.backend.kill(World.key(id, "worker-0", 1), 1);
        assertThat(world.untilFinal(id).state()).isEqualTo(JobState.FAILED);
        assertThat(world.store.progress(id).orElseThrow().progress()).isEqualTo(Said.progress(3));
    }
}
