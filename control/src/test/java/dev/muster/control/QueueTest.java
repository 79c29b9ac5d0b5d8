package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.control.schedule.QueueView;
import dev.muster.model.Capacity;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.Problem;
import dev.muster.model.Queue;
import dev.muster.model.Quota;
import dev.muster.testkit.FakeProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Queues, users and preemption as the whole control plane carries them out. */
final class QueueTest {
    private static final Queue RESEARCH =
            new Queue("research", quota(2), Optional.empty(), true, 1, false, Queue.PREEMPT_AFTER);
    private static final Queue URGENT =
            new Queue("urgent", Quota.NONE, Optional.empty(), true, 1, true, Queue.PREEMPT_AFTER);

    private final World world = new World();

    @AfterEach
    void nothingViolated() {
        world.checkNothingViolated();
    }

    private static Quota quota(int processes) {
        return new Quota(OptionalInt.of(processes), OptionalLong.empty(), OptionalLong.empty(), OptionalInt.empty());
    }

    private void capacity(int processes) {
        world.backend.capacity(new Capacity(processes, 1, 1, 0));
    }

    private Jobs.View view(JobId id) {
        return world.jobs.get(id).orElseThrow();
    }

    @Test
    void a28_twoUsersShareEvenlyOverFiftyJobs() {
        capacity(4);
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(10)));
        List<JobId> jobs = new ArrayList<>();
        for (int job = 0; job < 25; job++) {
            jobs.add(world.submit("ann", Spec.workers(1).named("ann-" + job)));
        }
        for (int job = 0; job < 25; job++) {
            jobs.add(world.submit("bob", Spec.workers(1).named("bob-" + job)));
        }
        world.settle();
        int most = 0;
        while (jobs.stream().anyMatch(id -> !world.job(id).state().isFinal())) {
            long ann = admitted(jobs, "ann");
            long bob = admitted(jobs, "bob");
            if (bob > 0) {
                most = Math.max(most, (int) Math.abs(ann - bob));
            }
            world.pass(Duration.ofSeconds(1));
        }
        assertThat(most).as("how far one got ahead of the other").isLessThanOrEqualTo(4);
    }

    private long admitted(List<JobId> jobs, String user) {
        return jobs.stream()
                .map(world::job)
                .filter(job -> job.origin().owner().equals(user)
                        && job.times().admittedAt().isPresent())
                .count();
    }

    @Test
    void a29_whoExceedsTheQuotaWaitsWithAReasonAndStartsWhenItIsFreed() {
        world.queues(RESEARCH);
        JobId first = world.submit(Spec.workers(2).named("first").queue("research"));
        JobId second = world.submit(Spec.workers(1).named("second").queue("research"));
        JobId other = world.submit(Spec.workers(1).named("other"));
        world.until(first, JobState.RUNNING);
        world.until(other, JobState.RUNNING);
        assertThat(view(second).cause()).contains(Cause.UNSCHEDULABLE);
        assertThat(view(second).reason())
                .contains("Unschedulable: waits for quota of queue research: it asks for 1 process, 0 are left;"
                        + " it is next in queue research");
        assertThat(world.job(second).version()).as("nothing is stored for it").isEqualTo(1);
        world.jobs.cancel(first);
        world.until(second, JobState.RUNNING);
        assertThat(view(second).reason()).isEmpty();
    }

    @Test
    void queuesTellWhatIsUsedAndByWhom() {
        world.queues(RESEARCH);
        JobId running = world.submit("ann", Spec.workers(2).named("one").queue("research"));
        world.submit("bob", Spec.workers(2).named("two").queue("research"));
        world.until(running, JobState.RUNNING);
        List<QueueView> queues = world.jobs.queues();
        assertThat(queues).extracting(queue -> queue.queue().name()).containsExactly("default", "research");
        QueueView research = queues.get(1);
        assertThat(research.used()).isEqualTo(new Capacity(2, 0, 0, 0));
        assertThat(research.borrowed()).isEqualTo(Capacity.ZERO);
        assertThat(research.waiting()).isEqualTo(1);
        assertThat(research.active()).isEqualTo(1);
        assertThat(research.users()).extracting(QueueView.User::name).containsExactly("ann", "bob");
        assertThat(research.users()).extracting(QueueView.User::waiting).containsExactly(0, 1);
    }

    @Test
    void anUnknownQueueIsRefusedWithTheNearestNameAndSoIsAJobLargerThanItsQueue() {
        world.queues(RESEARCH);
        assertThat(world.jobs.check(Spec.workers(1).queue("reserch").build()))
                .extracting(Problem::suggestion)
                .containsExactly(Optional.of("did you mean research?"));
        assertThat(world.jobs.check(Spec.workers(3).queue("research").build()))
                .extracting(Problem::message)
                .containsExactly(
                        "the whole job asks for more than queue research may ever hold:" + " 3 processes of at most 2");
        Jobs.Submission answer =
                world.jobs.accept(Spec.workers(1).queue("nosuch").build(), World.ORIGIN, Map.of(), Optional.empty());
        assertThat(answer).isInstanceOf(Jobs.Submission.Refused.class);
        assertThat(world.store.live()).isEmpty();
    }

    @Test
    void a30_aPreemptedJobSavesGivesWayAndResumesFromItsCheckpoint() {
        capacity(2);
        world.queues(URGENT);
        world.otherwise(FakeProcess.runs().leavingOnStopFile(Duration.ofSeconds(2)));
        JobId low = world.submit(Spec.workers(2).named("low").queue("urgent").restarts(0));
        world.until(low, JobState.RUNNING);
        world.telemetry.says(low, Said.step(100));
        world.pass(Duration.ofSeconds(1));
        JobId high = world.submit(Spec.workers(1).named("high").queue("urgent").priority(5));
        world.settle();
        assertThat(world.job(low).state()).isEqualTo(JobState.STOPPING);
        assertThat(world.files.stops).as("it is asked to save first").containsKey(low);
        assertThat(view(high).reason().orElseThrow()).contains("others are being stopped to make room for it");
        world.checkpoints.save(low, 110);
        world.until(high, JobState.RUNNING);

        assertThat(world.job(low).state()).isEqualTo(JobState.QUEUED);
        assertThat(view(low).cause()).contains(Cause.PREEMPTED);
        assertThat(view(low).reason())
                .contains("Preempted: made room for job " + high + ", which has priority 5;"
                        + " now it waits for 2 processes, 1 is free; it is next in queue urgent");
        world.jobs.cancel(high);
        JobRecord again = world.until(low, JobState.RUNNING);
        assertThat(again.resumeFrom()).contains("/checkpoints/" + low + "/step-110");
        assertThat(again.counters().restarts()).isZero();
    }

    @Test
    void a30_whatWasLentIsClaimedBackAndItsJobResumes() {
        capacity(3);
        world.queues(RESEARCH);
        world.otherwise(FakeProcess.runs().leavingOnStopFile(Duration.ofSeconds(1)));
        JobId lent = world.submit(Spec.workers(2).named("lent"));
        world.until(lent, JobState.RUNNING);
        JobId own = world.submit(Spec.workers(2).named("own").queue("research"));
        world.until(own, Duration.ofSeconds(5), job -> job.state() == JobState.RUNNING);
        assertThat(world.job(lent).status().reason().orElseThrow())
                .startsWith("Preempted: made room for job " + own + ", as queue research claims back");
        world.jobs.cancel(own);
        world.until(lent, JobState.RUNNING);
    }

    @Test
    void whoCameBackRunsForAWhileBeforeItIsPreemptedAgainWhateverBecomesOfTheService() {
        capacity(1);
        world.queues(URGENT);
        world.otherwise(FakeProcess.runs().leavingOnStopFile(Duration.ofSeconds(1)));
        JobId low = world.submit(Spec.workers(1).named("low").queue("urgent"));
        world.until(low, JobState.RUNNING);
        JobId high = world.submit(Spec.workers(1).named("high").queue("urgent").priority(1));
        world.until(high, JobState.RUNNING);
        world.jobs.cancel(high);
        world.until(low, JobState.RUNNING);
        Instant back = world.clock.now();
        world.boot();
        JobId next = world.submit(Spec.workers(1).named("next").queue("urgent").priority(1));
        world.until(next, JobState.RUNNING);
        assertThat(Duration.between(back, world.clock.now()))
                .isBetween(Duration.ofSeconds(595), Duration.ofSeconds(610));
    }

    @Test
    void b36_theDeadlineStandsStillWhileAPreemptedJobWaits() {
        capacity(1);
        world.queues(URGENT);
        world.otherwise(FakeProcess.runs().leavingOnStopFile(Duration.ofMillis(100)));
        JobId low = world.submit(Spec.workers(1).named("low").queue("urgent").deadline(Duration.ofSeconds(60)));
        world.until(low, JobState.RUNNING);
        JobId high = world.submit(Spec.workers(1).named("high").queue("urgent").priority(1));
        world.until(high, JobState.RUNNING);
        world.pass(Duration.ofHours(2));
        assertThat(world.job(low).state()).isEqualTo(JobState.QUEUED);
        world.jobs.cancel(high);
        world.until(low, JobState.RUNNING);
        world.pass(Duration.ofSeconds(50));
        assertThat(world.job(low).state()).isEqualTo(JobState.RUNNING);
        assertThat(world.untilFinal(low).status().cause()).contains(Cause.DEADLINE_EXCEEDED);
    }

    @Test
    void b37_whoWaitsForQuotaIsBoundByQueueDeadline() {
        world.queues(RESEARCH);
        JobId first = world.submit(Spec.workers(2).named("first").queue("research"));
        JobId second =
                world.submit(Spec.workers(1).named("second").queue("research").queueDeadline(Duration.ofSeconds(30)));
        world.until(first, JobState.RUNNING);
        JobRecord end = world.untilFinal(second);
        assertThat(end.state()).isEqualTo(JobState.FAILED);
        assertThat(end.status().cause()).contains(Cause.DEADLINE_EXCEEDED);
    }

    @Test
    void a28_whatAUserHeldIsKnownAfterAKillAndBobGoesFirst() {
        capacity(1);
        world.otherwise(FakeProcess.runs());
        JobId whole = world.submit("ann", Spec.workers(1).named("long"));
        world.until(whole, JobState.RUNNING);
        world.pass(Duration.ofHours(6));
        world.jobs.cancel(whole);
        world.untilFinal(whole);
        JobId eve = world.submit("eve", Spec.workers(1).named("eve"));
        world.until(eve, JobState.RUNNING);
        world.pass(Duration.ofMinutes(2));
        world.boot();
        JobId ann = world.submit("ann", Spec.workers(1).named("ann"));
        world.pass(Duration.ofSeconds(1));
        JobId bob = world.submit("bob", Spec.workers(1).named("bob"));
        world.jobs.cancel(eve);
        world.until(bob, JobState.RUNNING);
        assertThat(world.job(ann).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void aJobOfAQueueThatWasRemovedStillRuns() {
        capacity(1);
        world.queues(RESEARCH);
        JobId first = world.submit(Spec.workers(1).named("first").queue("research"));
        JobId second = world.submit(Spec.workers(1).named("second").queue("research"));
        world.until(first, JobState.RUNNING);
        world.queues();
        world.jobs.cancel(first);
        world.until(second, JobState.RUNNING);
    }
}
