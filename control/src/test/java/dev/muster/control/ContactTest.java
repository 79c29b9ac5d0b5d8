package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobState;
import dev.muster.spi.BackendException;
import dev.muster.testkit.FakeBackend;
import dev.muster.testkit.FakeProcess;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** No contact is a flag with a time: nothing is known and nothing is judged. */
final class ContactTest {
    private final World world = new World();

    @AfterEach
    void nothingViolated() {
        world.checkNothingViolated();
    }

    private void cut() {
        world.backend.before(call -> {
            throw new BackendException(BackendException.Kind.NO_CONTACT, Cause.INTERNAL, "no answer from dockerd");
        });
    }

    @Test
    void b80_aJobWhoseBackendIsNotReachedIsLeftAlone() {
        JobId id = world.submit(Spec.workers(2).restarts(1).startDeadline(Duration.ofSeconds(30)));
        world.until(id, JobState.RUNNING);
        cut();
        Instant lost = world.clock.now();
        world.pass(Duration.ofSeconds(90));
        assertThat(world.job(id).state()).isEqualTo(JobState.RUNNING);
        assertThat(world.job(id).status().noContactSince().orElseThrow()).isBetween(lost, lost.plusSeconds(6));

        world.backend.before(call -> {});
        world.pass(Duration.ofSeconds(6));
        assertThat(world.job(id).status().noContactSince()).isEmpty();
        assertThat(world.job(id).counters().restarts()).isZero();
        assertThat(world.backend.alive(id)).hasSize(2);
        assertThat(world.backend.launches()).hasSize(2);
    }

    @Test
    void theReasonTellsWhatTheWayToTheBackendSaysUntilThereIsContact() {
        JobId id = world.submit(Spec.workers(1));
        world.until(id, JobState.RUNNING);
        cut();
        world.pass(Duration.ofSeconds(10));
        assertThat(world.jobs.get(id).orElseThrow().reason().orElseThrow())
                .startsWith("no contact with the backend since ")
                .endsWith("Z: no answer from dockerd");

        world.backend.before(call -> {});
        world.pass(Duration.ofSeconds(6));
        assertThat(world.jobs.get(id).orElseThrow().reason()).isEmpty();
    }

    @Test
    void whatEndedMeanwhileIsJudgedWhenThereIsContactAgain() {
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(3, Duration.ofSeconds(10)));
        world.submit(Spec.workers(1));
        world.until(id, JobState.RUNNING);
        cut();
        world.pass(Duration.ofSeconds(60));
        world.backend.before(call -> {});
        assertThat(world.untilFinal(id).status().reason().orElseThrow()).contains("exit code 3");
    }

    @Test
    void b79_cancelWorksOnceThereIsContactAgain() {
        JobId id = world.submit(Spec.workers(2));
        world.until(id, JobState.RUNNING);
        cut();
        world.pass(Duration.ofSeconds(10));
        assertThat(world.jobs.cancel(id)).isEqualTo(new Jobs.Result.Done());
        assertThat(world.job(id).state()).isEqualTo(JobState.STOPPING);
        world.pass(Duration.ofSeconds(60));
        assertThat(world.job(id).state()).isEqualTo(JobState.STOPPING);
        world.backend.before(call -> {});
        assertThat(world.untilFinal(id).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void b79_aProcessTheBackendNoLongerKnowsIsLost() throws BackendException {
        JobId id = world.submit(Spec.workers(2));
        world.until(id, JobState.RUNNING);
        world.backend.forget(World.key(id, "worker-1", 1));
        assertThat(world.untilFinal(id).status().cause()).contains(Cause.LOST);
    }

    @Test
    void aStartThatLosesContactIsTriedAgainWithoutCounting() {
        int[] failures = {5};
        world.backend.after(call -> {
            if (call.op() == dev.muster.testkit.FakeBackend.Op.START && failures[0]-- > 0) {
                throw new BackendException(BackendException.Kind.NO_CONTACT, Cause.INTERNAL, "the answer was lost");
            }
        });
        JobId id = world.submit(Spec.workers(3));
        world.until(id, JobState.RUNNING);
        assertThat(world.backend.launches()).hasSize(3);
        assertThat(world.job(id).counters().restarts()).isZero();
    }

    @Test
    void whatIsNotFetchedAfterTheEndIsToldOnceAndFetchedWhenThereIsContactAgain() {
        boolean[] away = {false};
        world.backend.before(call -> {
            if (call.op() == FakeBackend.Op.COLLECT && away[0]) {
                throw new BackendException(
                        BackendException.Kind.NO_CONTACT, Cause.INTERNAL, "the node's containers are not reached");
            }
        });
        JobId id = world.nextId();
        world.script(id, "worker-0", 1, FakeProcess.exits(0, Duration.ofSeconds(1)));
        world.submit(Spec.workers(1).model("m"));
        world.until(id, JobState.RUNNING);
        away[0] = true;
        world.until(id, JobState.PUBLISHING);
        world.pass(Duration.ofMinutes(5));
        assertThat(world.job(id).state()).isEqualTo(JobState.PUBLISHING);
        assertThat(world.job(id).status().reason()).contains("Internal: the node's containers are not reached");
        assertThat(world.events(id))
                .filteredOn(
                        event -> event.reason().equals(world.job(id).status().reason()))
                .hasSize(1);

        away[0] = false;
        assertThat(world.untilFinal(id).state()).isEqualTo(JobState.SUCCEEDED);
    }
}
