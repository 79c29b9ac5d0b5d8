package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.control.decide.Demand;
import dev.muster.model.Capacity;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.Problem;
import dev.muster.model.SuccessPolicy;
import dev.muster.testkit.FakeJobStore;
import dev.muster.testkit.FakeProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whole gangs, in order, within capacity. */
final class AdmissionTest {
    private final World world = new World();

    @AfterEach
    void nothingViolated() {
        world.checkNothingViolated();
    }

    private static Capacity processes(int count) {
        return new Capacity(count, Long.MAX_VALUE, Long.MAX_VALUE, 0);
    }

    @Test
    void everyResourceCounts() {
        Capacity demand = Demand.of(
                Spec.workers(2).role("chief", 1).asking(1500, 2L << 30, 1).build());
        assertThat(demand).isEqualTo(new Capacity(3, 4500, 6L << 30, 3));
        assertThat(Demand.of(Spec.workers(2)
                        .ranksPerWorker(4)
                        .asking(1500, 2L << 30, 1)
                        .build()))
                .as("resources are those of a worker")
                .isEqualTo(new Capacity(8, 3000, 4L << 30, 2));
        assertThat(Demand.of(Spec.workers(2).sidecar("metrics").build())).isEqualTo(new Capacity(3, 0, 0, 0));
        assertThat(Demand.tooLarge(
                        Spec.workers(2).asking(1500, 2L << 30, 1).build(), new Capacity(1, 2000, 1L << 30, 1)))
                .extracting(Problem::field)
                .containsExactly("workers", "resources.cpus", "resources.memory", "resources.gpus");
        assertThat(Demand.tooLarge(
                        Spec.workers(2).role("ps", 3).role("chief", 1).build(),
                        new Capacity(5, Long.MAX_VALUE, Long.MAX_VALUE, 0)))
                .extracting(Problem::field)
                .containsExactly("roles.ps.count");
    }

    @Test
    void whoAsksForMoreSinceItWasDecidedIsDecidedAboutAnew() {
        world.backend.capacity(processes(5));
        world.script(world.nextId(), "worker-0", 1, FakeProcess.exits(0, Duration.ofSeconds(10)));
        JobId holder = world.submit(Spec.workers(5).named("holder").success(new SuccessPolicy.AnyProcess()));
        world.until(holder, JobState.RUNNING);
        JobId first = world.submit(Spec.workers(2).named("first"));
        JobId second = world.submit(Spec.workers(1).elastic(1, 3).named("second"));
        boolean[] scaled = {false};
        world.store.before(call -> {
            if (call == FakeJobStore.Call.COMPARE_AND_SET
                    && world.job(holder).state().isFinal()
                    && !scaled[0]) {
                scaled[0] = true;
                world.jobs.scale(second, "worker", 3);
            }
        });
        world.until(first, JobState.RUNNING);
        assertThat(scaled[0]).isTrue();
        assertThat(world.job(second).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void b13_twoJobsOfThreeOnFourPlacesRunOneAfterTheOther() {
        world.backend.capacity(processes(4));
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(10)));
        JobId first = world.submit(Spec.workers(3).named("first"));
        JobId second = world.submit(Spec.workers(3).named("second"));
        world.until(first, JobState.RUNNING);
        assertThat(world.job(second).state()).isEqualTo(JobState.QUEUED);
        assertThat(world.backend.holds(second)).isFalse();
        assertThat(world.jobs.get(second).orElseThrow().queuePosition()).hasValue(1);
        assertThat(world.jobs.get(second).orElseThrow().standing().orElseThrow().why())
                .isEqualTo("waits for 3 processes, 1 is free; it is next in queue default");
        world.until(second, JobState.RUNNING);
        assertThat(world.job(first).state()).isEqualTo(JobState.SUCCEEDED);
        world.untilFinal(second);
    }

    @Test
    void b13_aJobOfExactlyTheWholeCapacityStarts() {
        world.backend.capacity(processes(4));
        JobId id = world.submit(new Spec().role("chief", 1).role("worker", 3));
        world.until(id, JobState.RUNNING);
    }

    @Test
    void aJobLargerThanTheWholeCapacityIsRefusedAndNothingIsStored() {
        world.backend.capacity(processes(4));
        Jobs.Submission answer = world.jobs.accept(Spec.workers(5).build(), World.ORIGIN, Map.of(), Optional.empty());
        assertThat(answer).isInstanceOf(Jobs.Submission.Refused.class);
        assertThat(((Jobs.Submission.Refused) answer).problems().getFirst().message())
                .contains("asks for 5 processes")
                .contains("all there is are 4 processes");
        assertThat(((Jobs.Submission.Refused) answer).problems().getFirst().suggestion())
                .contains("ask for less, or give the service more: MUSTER_CAPACITY");
        assertThat(world.store.live()).isEmpty();
    }

    @Test
    void whatTheBackendCannotDoIsRefused() {
        world.backend.refusals(spec -> List.of(Problem.of("environment.image", "needed on docker")));
        assertThat(world.jobs.accept(Spec.workers(1).build(), World.ORIGIN, Map.of(), Optional.empty()))
                .isInstanceOf(Jobs.Submission.Refused.class);
    }

    @Test
    void aQueuedJobThatCanNoLongerFitFails() {
        world.backend.capacity(processes(4));
        JobId first = world.submit(Spec.workers(4).named("first"));
        JobId second = world.submit(Spec.workers(4).named("second"));
        world.until(first, JobState.RUNNING);
        world.backend.capacity(processes(2));
        world.jobs.cancel(first);
        JobRecord end = world.untilFinal(second);
        assertThat(end.status().cause()).contains(Cause.UNSCHEDULABLE);
        assertThat(end.status().reason().orElseThrow()).contains("asks for 4 processes");
    }

    @Test
    void placesOfAnEndedJobAreFreeAtOnce() {
        world.backend.capacity(processes(1));
        world.otherwise(FakeProcess.exits(0, Duration.ofMillis(50)));
        Instant start = world.clock.now();
        JobId last = null;
        for (int job = 0; job < 20; job++) {
            last = world.submit(Spec.workers(1).named("job-" + job));
        }
        world.untilFinal(last);
        assertThat(Duration.between(start, world.clock.now())).isLessThan(Duration.ofSeconds(2));
    }

    @Test
    void a04_theSameKeyGivesTheSameJobOnce() {
        var key = Optional.of("k1");
        Jobs.Submission one = world.jobs.accept(Spec.workers(1).build(), World.ORIGIN, Map.of(), key);
        Jobs.Submission two = world.jobs.accept(Spec.workers(1).build(), World.ORIGIN, Map.of(), key);
        JobId id = ((Jobs.Submission.Accepted) one).id();
        assertThat(two).isEqualTo(new Jobs.Submission.Same(id));
        world.until(id, JobState.RUNNING);
        assertThat(world.backend.launches()).hasSize(1);
        assertThat(world.jobs.accept(Spec.workers(1).build(), World.ORIGIN, Map.of(), Optional.empty()))
                .isEqualTo(new Jobs.Submission.NameTaken(id));
    }
}
