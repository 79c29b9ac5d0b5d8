package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.testkit.FakeProcess;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Cancel in any state, and its race with the registration of the model. */
final class CancelTest {
    private final World world = new World();

    @AfterEach
    void nothingViolated() {
        world.checkNothingViolated();
    }

    private JobId publishing() {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId id = world.submit(Spec.workers(1).model("digits"));
        world.until(id, JobState.RUNNING);
        world.clock.advance(Duration.ofSeconds(1));
        world.workWithoutSlow();
        assertThat(world.job(id).state()).isEqualTo(JobState.PUBLISHING);
        return id;
    }

    @Test
    void cancelBeforeTheVersionIsVisibleCancels() {
        JobId id = publishing();
        world.slow.clear();
        world.boot(); // the registration died with its service
        assertThat(world.jobs.cancel(id)).isEqualTo(new Jobs.Result.Done());
        assertThat(world.untilFinal(id).state()).isEqualTo(JobState.CANCELLED);
        assertThat(world.models.of(id)).isEmpty();
    }

    @Test
    void cancelAfterTheVersionIsVisibleChangesNothing() {
        JobId id = publishing();
        world.slow.poll().run(); // visible now, not yet on record
        assertThat(world.jobs.cancel(id)).isEqualTo(new Jobs.Result.Done());
        JobRecord end = world.untilFinal(id);
        assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(end.model()).isEqualTo(world.models.of(id));
    }

    @Test
    void cancelDuringTheRegistrationEndsAsTheRegistrationDid() {
        JobId id = publishing();
        world.jobs.cancel(id);
        assertThat(world.job(id).state()).isEqualTo(JobState.STOPPING);
        world.reconciler.doWork();
        assertThat(world.job(id).state()).as("waits for the registration").isEqualTo(JobState.STOPPING);
        JobRecord end = world.untilFinal(id);
        assertThat(end.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(end.model()).isEqualTo(world.models.of(id));
    }

    @Test
    void cancelOfASuspendedJob() {
        JobId id = world.submit(Spec.workers(1).suspended());
        world.jobs.cancel(id);
        assertThat(world.job(id).state()).isEqualTo(JobState.CANCELLED);
        assertThat(world.job(id).times().finishedAt()).isPresent();
    }

    @Test
    void cancelOfAJobThatIsBeingSuspendedAsksAtOnce() {
        JobId id = world.submit(Spec.workers(1));
        world.until(id, JobState.RUNNING);
        world.jobs.suspend(id);
        world.pass(Duration.ofSeconds(5));
        world.jobs.cancel(id);
        assertThat(world.until(id, Duration.ofSeconds(1), job -> job.state().isFinal())
                        .state())
                .isEqualTo(JobState.CANCELLED);
    }

    @Test
    void cancelOfAJobThatHasFailedChangesNothing() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(1, Duration.ofSeconds(1)))
                .script(id, "worker-1", 1, FakeProcess.runs().ignoringTerm());
        world.submit(Spec.workers(2));
        world.until(id, JobState.STOPPING);
        world.jobs.cancel(id);
        assertThat(world.untilFinal(id).state()).isEqualTo(JobState.FAILED);
    }

    @Test
    void cancelWhileExitsAreBeingCollectedCancels() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(1, Duration.ofSeconds(1)))
                .script(id, "worker-1", 1, FakeProcess.runs().ignoringTerm());
        world.submit(Spec.workers(2));
        world.until(id, Duration.ofMinutes(1), job -> job.times().settleUntil().isPresent());
        world.jobs.cancel(id);
        assertThat(world.untilFinal(id).state()).isEqualTo(JobState.CANCELLED);
    }
}
