package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.testkit.FakeBackend;
import dev.muster.testkit.FakeProcess;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** From Queued to the end, without faults. */
final class LifecycleTest {
    private final World world = new World();

    @AfterEach
    void nothingViolated() {
        world.checkNothingViolated();
    }

    @Test
    void aJobWhoseRanksAllExitZeroSucceeds() {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(10)));
        JobId id = world.submit(Spec.workers(2));
        JobRecord end = world.untilFinal(id);

        assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(world.path(id)).containsExactly("Queued", "Admitted", "Starting", "Running", "Succeeded");
        assertThat(end.status().cause()).isEmpty();
        assertThat(end.times().finishedAt()).contains(world.clock.now());
        assertThat(end.counters()).isEqualTo(new JobRecord.Counters(1, 0, 0));
        assertThat(world.backend.launches()).hasSize(2);
        assertThat(world.telemetry.finished()).hasSize(2);
        assertThat(world.backend.holds(id)).isFalse();
    }

    @Test
    void b21_aJobOfTrueNeverJoinsAndSucceeds() {
        world.otherwise(FakeProcess.exits(0, Duration.ZERO).neverJoining());
        JobId id = world.submit(Spec.workers(2));
        JobRecord end = world.untilFinal(id);

        assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(world.path(id)).containsExactly("Queued", "Admitted", "Starting", "Succeeded");
        assertThat(end.times().startedAt()).isPresent();
    }

    @Test
    void b21_aJobOfFalseFailsAtOnceWithItsExitCode() {
        world.otherwise(FakeProcess.exits(1, Duration.ZERO).neverJoining());
        JobId id = world.submit(Spec.workers(1));
        JobRecord end = world.untilFinal(id);

        assertThat(end.state()).isEqualTo(JobState.FAILED);
        assertThat(end.status().cause()).contains(Cause.USER_ERROR);
        assertThat(end.status().reason().orElseThrow()).startsWith("UserError: worker-0 ended with exit code 1");
        assertThat(Duration.between(
                        end.times().submittedAt(), end.times().finishedAt().orElseThrow()))
                .isLessThan(Duration.ofMillis(100));
    }

    /** It is followed before it is started, so that even the event files it wrote in between are its own. */
    @Test
    void b21_whatAProcessSaidThatIsOverAtTheFirstLookIsRead() {
        world.otherwise(FakeProcess.exits(0, Duration.ZERO).runningAtOnce());
        world.backend.before(call -> {
            if (call.op() == FakeBackend.Op.START) {
                assertThat(world.telemetry.followed()).contains(call.process().orElseThrow());
            }
        });
        JobId id = world.submit(Spec.workers(2));

        assertThat(world.untilFinal(id).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(world.telemetry.finished())
                .containsExactlyInAnyOrder(World.key(id, "worker-0", 1), World.key(id, "worker-1", 1));
    }

    @Test
    void theModelIsRegisteredBeforeSucceededShows() {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId id = world.submit(Spec.workers(2).model("digits"));
        JobRecord end = world.untilFinal(id);

        assertThat(world.path(id)).endsWith("Running", "Publishing", "Succeeded");
        assertThat(end.model()).isEqualTo(world.models.of(id));
        assertThat(end.model().orElseThrow().lineage()).containsEntry("job.id", id.value());
    }

    @Test
    void anEmptyModelFolderFailsTheJob() {
        world.models.fail(Cause.MODEL_MISSING, "MUSTER_MODEL_DIR of worker-0 is empty");
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId id = world.submit(Spec.workers(1).model("digits"));
        JobRecord end = world.untilFinal(id);

        assertThat(end.state()).isEqualTo(JobState.FAILED);
        assertThat(end.status().cause()).contains(Cause.MODEL_MISSING);
    }

    @Test
    void a08_cancelOfARunningJobEndsAllRanksWithinTheGraceTime() {
        world.otherwise(FakeProcess.runs().ignoringTerm());
        JobId id = world.submit(Spec.workers(3).grace(Duration.ofSeconds(10)));
        world.until(id, JobState.RUNNING);

        assertThat(world.jobs.cancel(id)).isEqualTo(new Jobs.Result.Done());
        assertThat(world.job(id).state()).isEqualTo(JobState.STOPPING);
        assertThat(world.job(id).status().target()).contains(JobState.CANCELLED);
        JobRecord end =
                world.until(id, Duration.ofMillis(10_100), job -> job.state().isFinal());

        assertThat(end.state()).isEqualTo(JobState.CANCELLED);
        assertThat(world.backend.alive(id)).isEmpty();
        assertThat(end.processes())
                .allMatch(process -> process.exit().orElseThrow().cause().isEmpty());
        assertThat(world.jobs.cancel(id)).isEqualTo(new Jobs.Result.Done());
        assertThat(world.job(id)).isEqualTo(end);
    }

    @Test
    void a08_cancelOfAQueuedJobNeverStartsIt() {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(5)));
        world.backend.capacity(new dev.muster.model.Capacity(2, 1000, 1 << 20, 0));
        JobId first = world.submit(Spec.workers(2).named("first"));
        JobId second = world.submit(Spec.workers(2).named("second"));
        world.until(first, JobState.RUNNING);

        assertThat(world.jobs.get(second).orElseThrow().queuePosition()).hasValue(1);
        world.jobs.cancel(second);
        world.untilFinal(first);
        world.pass(Duration.ofMinutes(1));

        assertThat(world.path(second)).containsExactly("Queued", "Cancelled");
        assertThat(world.backend.launches())
                .allMatch(launch -> launch.key().job().equals(first));
    }

    @Test
    void anUnknownJobIsNotFound() {
        assertThat(world.jobs.cancel(new JobId("nosuch"))).isEqualTo(new Jobs.Result.NotFound());
        assertThat(world.jobs.get(new JobId("nosuch"))).isEqualTo(Optional.empty());
    }
}
