package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Attempt;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.Progress;
import dev.muster.model.SuccessPolicy;
import dev.muster.spi.Telemetry.Signs;
import dev.muster.testkit.FakeBackend.Op;
import dev.muster.testkit.FakeProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A new service goes on where the old one was killed. */
final class AdoptionTest {
    private final World world = new World();

    @AfterEach
    void nothingViolated() {
        world.checkNothingViolated();
    }

    @Test
    void a12_queuedStartingAndRunningJobsAreTakenUpAndNoneIsStartedTwice() {
        world.backend.capacity(new dev.muster.model.Capacity(4, 1, 1, 0));
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(30)));
        List<JobId> ids = new ArrayList<>();
        for (int job = 0; job < 4; job++) {
            ids.add(world.submit(Spec.workers(2).named("job-" + job)));
        }
        world.until(ids.get(0), JobState.RUNNING);
        world.boot();
        ids.forEach(id -> assertThat(world.untilFinal(id).state()).isEqualTo(JobState.SUCCEEDED));
        assertThat(world.backend.launches()).hasSize(8);
        ids.forEach(id -> assertThat(world.job(id).counters()).isEqualTo(new JobRecord.Counters(1, 0, 0)));
    }

    @Test
    void a14_b78_aRankThatEndedWhileTheServiceWasDownGetsItsTrueResult() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(139, Duration.ofSeconds(10)));
        world.submit(Spec.workers(1));
        world.until(id, JobState.RUNNING);
        world.clock.advance(Duration.ofMinutes(5));
        world.boot();
        JobRecord end = world.untilFinal(id);
        assertThat(end.processes().getFirst().exit().orElseThrow().code()).hasValue(139);
        assertThat(end.status().cause()).contains(Cause.USER_ERROR);
        assertThat(world.telemetry.finished()).contains(World.key(id, "worker-0", 1));
    }

    /** What it reported is read only after it is taken up. */
    @Test
    void b12_whoJoinedWhileNobodyLookedIsNotMissing() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.runs().neverJoining());
        world.submit(Spec.workers(1).startDeadline(Duration.ofSeconds(8)));
        world.until(id, JobState.STARTING);
        world.pass(Duration.ofSeconds(2));
        world.clock.advance(Duration.ofSeconds(10));
        world.boot();
        world.pass(Duration.ofSeconds(1));
        assertThat(world.job(id).state()).isEqualTo(JobState.STARTING);
        world.telemetry.says(
                id, new Signs(Set.of(World.key(id, "worker-0", 1)), Map.of(), Progress.NONE, 0, List.of()));
        world.pass(Duration.ofSeconds(4));
        assertThat(world.job(id).state()).isEqualTo(JobState.RUNNING);
    }

    /** The chief's end counts only with those that came before it. */
    @Test
    void aFailureForGoodThatNobodySawIsNotForgottenWhenTheChiefEndsWellLater() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(0, Duration.ofSeconds(20)))
                .script(id, "worker-1", 1, FakeProcess.exits(4, Duration.ofSeconds(5)));
        world.submit(Spec.workers(2).success(new SuccessPolicy.Chief()).restarts(3));
        world.until(id, JobState.RUNNING);
        world.clock.advance(Duration.ofSeconds(30));
        world.boot();
        JobRecord end = world.untilFinal(id);
        assertThat(end.state()).isEqualTo(JobState.FAILED);
        assertThat(end.status().reason().orElseThrow()).startsWith("UserError: worker-1 ended with exit code 4");
    }

    @Test
    void aKillLongAfterAFailureThatNobodySawIsNotItsCause() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(1, Duration.ofSeconds(10)))
                .script(id, "worker-1", 1, FakeProcess.exits(137, Duration.ofSeconds(60)));
        world.submit(Spec.workers(2).restarts(3));
        world.until(id, JobState.RUNNING);
        world.clock.advance(Duration.ofMinutes(5));
        world.boot();
        assertThat(world.untilFinal(id).status().reason().orElseThrow()).startsWith("UserError: worker-0");
    }

    @Test
    void aServiceKilledBetweenStartsGoesOnWithTheSamePlaces() {
        int[] starts = {0};
        world.backend.before(call -> {
            if (call.op() == Op.START && ++starts[0] == 3) {
                throw new Killed();
            }
        });
        JobId id = world.submit(Spec.workers(4));
        try {
            world.settle();
        } catch (Killed killed) {
            world.boot();
        }
        assertThat(world.backend.launches()).hasSize(2);
        world.until(id, JobState.RUNNING);
        assertThat(world.backend.launches()).hasSize(4);
        assertThat(world.job(id).counters()).isEqualTo(new JobRecord.Counters(1, 0, 0));
    }

    @Test
    void aProcessThatBeganAndEndedUnseenHasItsOwnTimesAndPidAndTheDeadlineRunsFromThere() {
        JobId unseen = startedUnseen(Spec.workers(1).deadline(Duration.ofMinutes(10)));
        Instant before = world.clock.now();
        world.clock.advance(Duration.ofMinutes(5));
        world.boot();
        JobRecord end = world.untilFinal(unseen);
        assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
        Attempt only = end.processes().getFirst();
        assertThat(only.pid()).isPresent();
        assertThat(only.startedAt()).isEqualTo(end.times().startedAt());
        assertThat(end.times().startedAt().orElseThrow()).isBefore(before.plusSeconds(2));
        assertThat(end.times().runningFor()).as("with the end that nobody saw").isGreaterThan(Duration.ofMinutes(4));
    }

    /** A job whose process was started by a service that died before it looked, and ends after 10 seconds. */
    private JobId startedUnseen(Spec spec) {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(0, Duration.ofSeconds(10)));
        boolean[] started = {false};
        world.backend.before(call -> {
            if (started[0] && call.op() == Op.OBSERVE) {
                throw new Killed();
            }
            started[0] |= call.op() == Op.START;
        });
        world.submit(spec);
        try {
            world.settle();
        } catch (Killed killed) {
            world.backend.before(call -> {});
        }
        assertThat(world.job(id).times().startedAt()).isEmpty();
        return id;
    }

    @Test
    void aGroupWhosePlacesAreLostWhileItStartsBeginsAnewUncounted() {
        int[] starts = {0};
        world.backend.before(call -> {
            if (call.op() == Op.START && ++starts[0] == 3) {
                throw new Killed();
            }
        });
        JobId id = world.submit(Spec.workers(4));
        try {
            world.settle();
        } catch (Killed killed) {
            world.backend.losePlacement(id);
            world.boot();
        }
        world.until(id, JobState.RUNNING);
        assertThat(world.job(id).counters()).isEqualTo(new JobRecord.Counters(2, 0, 1));
    }

    @Test
    void aModelThatBecameVisibleJustBeforeTheServiceDiedIsTheJobsModel() {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        world.models.after(() -> {
            world.models.after(() -> {});
            throw new Killed();
        });
        JobId id = world.submit(Spec.workers(1).model("digits"));
        try {
            world.untilFinal(id);
        } catch (Killed killed) {
            world.boot();
        }
        JobRecord end = world.untilFinal(id);
        assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(end.model().orElseThrow().version()).isEqualTo(1);
        assertThat(world.models.list(java.util.Optional.empty())).hasSize(1);
    }

    @Test
    void publishingWaitsForRoomOnTheDisk() {
        world.models.fail(Cause.DISK_FULL, "no room for the model");
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId id = world.submit(Spec.workers(1).model("digits"));
        world.pass(Duration.ofMinutes(2));
        assertThat(world.job(id).state()).isEqualTo(JobState.PUBLISHING);
        assertThat(world.job(id).status().reason()).contains("DiskFull: no room for the model");
        world.models.recover();
        assertThat(world.until(id, Duration.ofSeconds(15), job -> job.state().isFinal())
                        .state())
                .isEqualTo(JobState.SUCCEEDED);
    }

    /** The service is killed here. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }
}
