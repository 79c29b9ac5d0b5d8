package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Capacity;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobState;
import dev.muster.model.JobTransition;
import dev.muster.spi.BackendException;
import dev.muster.testkit.FakeBackend.Op;
import dev.muster.testkit.FakeProcess;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every row of the table is taken: the scenario of each is listed here, and a row without one does not compile. */
final class TransitionsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final World world = new World();

    @ParameterizedTest
    @EnumSource
    void a06_everyRowOfTheTableIsTaken(JobTransition row) {
        JobId id = take(row);
        assertThat(world.transitions(id))
                .as("rows taken on the path %s", world.path(id))
                .contains(row);
        world.checkNothingViolated();
    }

    private JobId take(JobTransition row) {
        return switch (row) {
            case ACCEPT, ADMIT, START, JOIN -> running(Spec.workers(2));
            case ACCEPT_SUSPENDED -> world.submit(Spec.workers(1).suspended());
            case SUSPEND_QUEUED -> {
                JobId id = queued(Spec.workers(1));
                world.jobs.suspend(id);
                yield id;
            }
            case CANCEL_QUEUED -> {
                JobId id = queued(Spec.workers(1));
                world.jobs.cancel(id);
                yield id;
            }
            case FAIL_QUEUED -> ended(queued(Spec.workers(1).queueDeadline(SECOND)));
            case RETRY_ADMITTED -> {
                failPlacing(1);
                yield running(Spec.workers(1));
            }
            case STOP_ADMITTED -> {
                world.environments.fail("no such requirement");
                yield ended(world.submit(Spec.workers(1)));
            }
            case RETRY_STARTING -> {
                JobId id = world.nextId();
                world.script(id, "worker-0", 1, FakeProcess.exits(137, SECOND).neverJoining());
                yield running(Spec.workers(1).restarts(1));
            }
            case STOP_STARTING -> {
                JobId id = world.nextId();
                world.script(id, "worker-0", 1, FakeProcess.runs().neverJoining());
                yield ended(world.submit(Spec.workers(1).startDeadline(SECOND)));
            }
            case PUBLISH_STARTING -> {
                world.otherwise(FakeProcess.exits(0, SECOND).neverJoining());
                yield ended(world.submit(Spec.workers(1).model("m")));
            }
            case SUCCEED_STARTING -> {
                world.otherwise(FakeProcess.exits(0, SECOND).neverJoining());
                yield ended(world.submit(Spec.workers(1)));
            }
            case GROW -> {
                JobId id = running(Spec.workers(1).elastic(1, 2));
                world.jobs.scale(id, "worker", 2);
                world.settle();
                yield id;
            }
            case RETRY_RUNNING, READMIT -> {
                JobId id = world.nextId();
                world.script(id, "worker-0", 1, FakeProcess.exits(137, SECOND));
                world.submit(Spec.workers(1).restarts(1));
                world.until(id, JobState.RESTARTING);
                world.until(id, JobState.RUNNING);
                yield id;
            }
            case STOP_RUNNING, STOPPED_CANCEL -> {
                JobId id = running(Spec.workers(1));
                world.jobs.cancel(id);
                yield ended(id);
            }
            case PUBLISH_RUNNING, PUBLISHED -> {
                world.otherwise(FakeProcess.exits(0, SECOND));
                yield ended(world.submit(Spec.workers(1).model("m")));
            }
            case SUCCEED_RUNNING -> {
                world.otherwise(FakeProcess.exits(0, SECOND));
                yield ended(world.submit(Spec.workers(1)));
            }
            case STOP_RESTARTING -> {
                JobId id = world.nextId();
                world.script(id, "worker-0", 1, FakeProcess.exits(137, SECOND));
                world.submit(Spec.workers(1).restarts(1));
                world.until(id, JobState.RESTARTING);
                world.jobs.cancel(id);
                yield ended(id);
            }
            case STOPPED_PUBLISH -> {
                JobId id = world.nextId();
                world.script(id, "worker-0", 1, FakeProcess.exits(0, SECOND));
                yield ended(world.submit(Spec.workers(1).sidecar("viewer").model("m")));
            }
            case STOPPED_SUCCEED -> {
                JobId id = world.nextId();
                world.script(id, "worker-0", 1, FakeProcess.exits(0, SECOND));
                yield ended(world.submit(Spec.workers(1).sidecar("viewer")));
            }
            case STOPPED_FAIL -> {
                world.otherwise(FakeProcess.exits(1, SECOND));
                yield ended(world.submit(Spec.workers(1)));
            }
            case STOPPED_SUSPEND, RESUME -> {
                JobId id = running(Spec.workers(1));
                world.jobs.suspend(id);
                world.until(id, JobState.SUSPENDED);
                world.jobs.resume(id, Optional.empty());
                yield id;
            }
            case STOPPED_REQUEUE -> {
                JobId id = running(Spec.workers(1));
                world.jobs.preempt(id, "room is needed");
                world.until(id, Duration.ofMinutes(2), job -> job.state() != JobState.STOPPING);
                yield id;
            }
            case PUBLISH_FAILED -> {
                world.models.fail(Cause.MODEL_MISSING, "the folder is empty");
                world.otherwise(FakeProcess.exits(0, SECOND));
                yield ended(world.submit(Spec.workers(1).model("m")));
            }
            case STOP_PUBLISHING -> {
                world.models.fail(Cause.DISK_FULL, "no room");
                world.otherwise(FakeProcess.exits(0, SECOND));
                JobId id = world.submit(Spec.workers(1).model("m"));
                world.until(id, JobState.PUBLISHING);
                world.jobs.cancel(id);
                yield ended(id);
            }
            case CANCEL_SUSPENDED -> {
                JobId id = world.submit(Spec.workers(1).suspended());
                world.jobs.cancel(id);
                yield id;
            }
        };
    }

    private JobId running(Spec spec) {
        JobId id = world.submit(spec);
        world.until(id, JobState.RUNNING);
        return id;
    }

    private JobId queued(Spec spec) {
        world.backend.capacity(new Capacity(1, 1, 1, 0));
        running(Spec.workers(1).named("first"));
        return world.submit(spec.named("second"));
    }

    private JobId ended(JobId id) {
        world.untilFinal(id);
        return id;
    }

    private void failPlacing(int times) {
        int[] left = {times};
        world.backend.before(call -> {
            if (call.op() == Op.PLACE && left[0]-- > 0) {
                throw new BackendException(BackendException.Kind.FAILED, Cause.PORT_LOST, "a port was taken");
            }
        });
    }
}
