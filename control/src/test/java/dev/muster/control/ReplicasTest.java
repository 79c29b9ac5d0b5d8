package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.Capacity;
import dev.muster.model.JobId;
import dev.muster.model.JobState;
import dev.muster.model.Queue;
import dev.muster.model.Queues;
import dev.muster.model.Quota;
import dev.muster.model.Site;
import dev.muster.spi.JobStore;
import dev.muster.spi.Launch;
import dev.muster.spi.Lease;
import dev.muster.testkit.FakeProcess;
import dev.muster.testkit.SampleJobs;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two services over one store, in virtual time. */
final class ReplicasTest {
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration JOB = Duration.ofSeconds(100);

    private final World world = new World();
    private final List<Service> all = new ArrayList<>();
    private final Service one;
    private final Service two;

    /** A service that may be cut off, or stop working without being dead. */
    private final class Service {
        final Faults faults;
        final World.Node node;
        boolean works = true;

        Service(String name, Fault... wrong) {
            faults = new Faults(FaultPlan.only(List.of(wrong)), new Surroundings());
            node = world.node(faults, new ArrayDeque<>(), new ThisReplica(name, Optional.empty(), LEASE));
            node.reconciler().start();
            all.add(this);
        }

        /** On a host of its own. */
        Service(String host, Queues queues) {
            faults = new Faults(FaultPlan.only(List.of()), new Surroundings());
            node = world.node(
                    faults, new ArrayDeque<>(), new ThisReplica("on-" + host, Optional.of(host), LEASE), queues);
            node.reconciler().start();
            all.add(this);
        }

        boolean step() {
            if (!works) {
                return false;
            }
            Runnable slow = node.slow().poll();
            if (slow != null) {
                slow.run();
                return true;
            }
            return node.reconciler().doWork();
        }

        JobId submit(Spec spec) {
            return ((Jobs.Submission.Accepted)
                            node.jobs().accept(spec.build(), World.ORIGIN, Map.of(), Optional.empty()))
                    .id();
        }

        void cutOff(Duration lasts) {
            faults.cutOff(world.clock.now().plus(lasts));
        }

        boolean drives(JobId job) {
            return node.reconciler().cells().known(job).isPresent();
        }
    }

    private final class Surroundings implements Faults.Surrounding {
        @Override
        public boolean faulty() {
            return true;
        }

        @Override
        public boolean contact() {
            return true;
        }

        @Override
        public Instant now() {
            return world.clock.now();
        }

        @Override
        public void passes(Duration duration) {}

        @Override
        public void later(Duration pause, Runnable action) {
            later.add(new Later(world.clock.now().plus(pause), action));
        }

        @Override
        public void note(Object what) {}

        @Override
        public void startsLater(Duration pause, Launch launch) {
            later(pause, () -> world.backend.startLate(launch, FakeProcess.runs()));
        }

        @Override
        public void acts(String what) {}

        @Override
        public Optional<Faults.RowFault> row(JobId job) {
            return Optional.empty();
        }
    }

    private record Later(Instant at, Runnable action) {}

    private final List<Later> later = new ArrayList<>();

    ReplicasTest() {
        world.reconciler.release();
        world.backend.capacity(new Capacity(4, 64_000, 1L << 40, 8));
        world.otherwise(FakeProcess.runs().exiting(0, JOB));
        one = new Service("one");
        two = new Service("two");
    }

    @AfterEach
    void nothingIsViolated() {
        world.checkNothingViolated();
    }

    /** Lets time pass in small steps; whoever has something to do does it. */
    private void pass(Duration duration) {
        Instant end = world.clock.now().plus(duration);
        while (world.clock.now().isBefore(end)) {
            settle();
            world.clock.advance(Duration.ofMillis(500));
        }
        settle();
    }

    private void settle() {
        world.backend.tick();
        List<Later> due = later.stream()
                .filter(each -> !each.at().isAfter(world.clock.now()))
                .toList();
        later.removeAll(due);
        due.forEach(each -> each.action().run());
        while (all.stream().map(Service::step).reduce(false, Boolean::logicalOr)) {
            // on
        }
    }

    private JobState state(JobId job) {
        return world.job(job).state();
    }

    private long starts(JobId job) {
        return world.backend.launches().stream()
                .filter(launch -> launch.key().job().equals(job))
                .count();
    }

    @Test
    void oneDrivesAndEveryOneAccepts() {
        JobId job = two.submit(Spec.workers(2));
        pass(Duration.ofSeconds(10));
        assertThat(state(job)).isEqualTo(JobState.RUNNING);
        assertThat(one.drives(job)).isTrue();
        assertThat(two.drives(job)).isFalse();
        pass(JOB);
        assertThat(state(job)).isEqualTo(JobState.SUCCEEDED);
        assertThat(starts(job)).isEqualTo(2);
    }

    @Test
    void anyoneCarriesOutARequest() {
        JobId job = one.submit(Spec.workers(2));
        pass(Duration.ofSeconds(10));
        assertThat(two.node.jobs().suspend(job)).isEqualTo(new Jobs.Result.Done());
        pass(Duration.ofSeconds(40));
        assertThat(state(job)).isEqualTo(JobState.SUSPENDED);
        assertThat(two.node.jobs().resume(job, Optional.empty())).isEqualTo(new Jobs.Result.Done());
        pass(Duration.ofSeconds(10));
        assertThat(state(job)).isEqualTo(JobState.RUNNING);
        assertThat(two.node.jobs().cancel(job)).isEqualTo(new Jobs.Result.Done());
        pass(Duration.ofSeconds(40));
        assertThat(state(job)).isEqualTo(JobState.CANCELLED);
        assertThat(two.node.jobs().cancel(SampleJobs.queued("nosuch", "x").id()))
                .isEqualTo(new Jobs.Result.NotFound());
    }

    @Test
    void a08_aJobCancelledThroughAnotherNeverStarts() {
        world.backend.capacity(new Capacity(1, 64_000, 1L << 40, 8));
        JobId first = one.submit(Spec.workers(1).named("first"));
        JobId waits = one.submit(Spec.workers(1).named("second"));
        pass(Duration.ofSeconds(10));
        assertThat(state(first)).isEqualTo(JobState.RUNNING);
        two.node.jobs().cancel(waits);
        pass(JOB);
        assertThat(state(waits)).isEqualTo(JobState.CANCELLED);
        assertThat(starts(waits)).isZero();
    }

    /** Its driver was told late, and its starts had failed so far. */
    @Test
    void a08_nothingStartsOnceAStopIsStored() {
        one.works = false;
        two.works = false;
        one.node.reconciler().release();
        Service driver = new Service(
                "driver",
                new Fault("Backend.start", 1, Fault.Kind.FAIL_BEFORE, 1),
                new Fault("Backend.start", 2, Fault.Kind.FAIL_BEFORE, 1),
                new Fault("JobStore news", 1, Fault.Kind.LOST, 0));
        JobId job = driver.submit(Spec.workers(2));
        settle();
        assertThat(state(job)).isEqualTo(JobState.STARTING);
        assertThat(two.node.jobs().suspend(job)).isEqualTo(new Jobs.Result.Done());
        pass(Duration.ofSeconds(40));
        assertThat(state(job)).isEqualTo(JobState.SUSPENDED);
        assertThat(starts(job)).isZero();
    }

    @Test
    void a12_anotherTakesOverFromOneThatWasKilled() {
        JobId job = one.submit(Spec.workers(2));
        pass(Duration.ofSeconds(10));
        one.faults.die();
        one.works = false;
        pass(LEASE.plusSeconds(2));
        assertThat(two.drives(job)).isTrue();
        pass(JOB);
        assertThat(state(job)).isEqualTo(JobState.SUCCEEDED);
        assertThat(starts(job)).isEqualTo(2);
    }

    /** It reaches its backend all the while, and everything it would do it still finds right by what it knows. */
    @Test
    void whoIsCutOffStopsActingBeforeAnotherBegins() {
        JobId job = one.submit(Spec.workers(2).restarts(1));
        pass(Duration.ofSeconds(10));
        one.cutOff(Duration.ofSeconds(60));
        pass(Duration.ofSeconds(14));
        assertThat(one.drives(job)).isTrue();
        world.backend.kill(World.key(job, "worker-0", 1), 137);
        pass(Duration.ofSeconds(20));
        assertThat(two.drives(job)).isTrue();
        assertThat(state(job)).isEqualTo(JobState.RUNNING);
        assertThat(world.job(job).counters().restarts()).isEqualTo(1);
        pass(Duration.ofSeconds(60));
        assertThat(one.drives(job)).isFalse();
        pass(JOB);
        assertThat(state(job)).isEqualTo(JobState.SUCCEEDED);
        assertThat(starts(job)).isEqualTo(4);
    }

    /** By its own clock it is over before another has the site. */
    @Test
    void aLeaseEndsForItsHolderBeforeItEndsForOthers() {
        JobId job = one.submit(Spec.workers(2));
        Site site = Site.of(world.job(job));
        pass(Duration.ofSeconds(10));
        Lease lease = one.node.reconciler().sites().lease(site).orElseThrow();
        one.cutOff(Duration.ofSeconds(60));
        boolean acts = true;
        boolean taken = false;
        int between = 0;
        for (int i = 0; i < 60 && !taken; i++) {
            assertThat(one.node.reconciler().sites().mayAct(lease)).isEqualTo(acts);
            pass(Duration.ofMillis(500));
            acts &= one.node.reconciler().sites().mayAct(lease);
            taken = two.node.reconciler().sites().lease(site).isPresent();
            between += acts ? 0 : 1;
        }
        assertThat(taken).isTrue();
        assertThat(acts).isFalse();
        assertThat(between).as("steps of half a second between").isBetween(3, 10);
    }

    @Test
    void aZombieThatWakesFindsEverythingTaken() {
        JobId job = one.submit(Spec.workers(2));
        pass(Duration.ofSeconds(1));
        one.works = false;
        pass(Duration.ofSeconds(40));
        assertThat(two.drives(job)).isTrue();
        one.works = true;
        pass(JOB);
        assertThat(one.drives(job)).isFalse();
        assertThat(state(job)).isEqualTo(JobState.SUCCEEDED);
        assertThat(starts(job)).isEqualTo(2);
    }

    /** It was to make room when it froze; by now another has, and both jobs have gone on. */
    @Test
    void aZombieSendsNobodyBackToTheQueue() {
        one.works = false;
        two.works = false;
        one.node.reconciler().release();
        world.configure(Queues.of(
                List.of(new Queue(Queue.DEFAULT, Quota.NONE, Optional.empty(), false, 1, true, Duration.ZERO))));
        Service driver = new Service("driver");
        Service other = new Service("other");
        JobId low = driver.submit(Spec.workers(3).named("low"));
        pass(Duration.ofSeconds(10));
        assertThat(driver.drives(low)).isTrue();
        driver.works = false;
        JobId high = driver.submit(Spec.workers(3).named("high").priority(1));
        world.otherwise(FakeProcess.runs().exiting(0, Duration.ofSeconds(10)));
        pass(Duration.ofSeconds(55));
        world.otherwise(FakeProcess.runs().exiting(0, JOB));
        pass(Duration.ofSeconds(30));
        assertThat(other.drives(low)).isTrue();
        assertThat(state(high)).isEqualTo(JobState.SUCCEEDED);
        assertThat(state(low)).isEqualTo(JobState.RUNNING);
        driver.works = true;
        pass(Duration.ofSeconds(5));
        assertThat(state(low)).isEqualTo(JobState.RUNNING);
        assertThat(world.path(low)).filteredOn("Stopping"::equals).hasSize(1);
    }

    /** By what it remembers the job is suspended. */
    @Test
    void whoIsCutOffTellsNobodyThatItIsSo() {
        JobId job = one.submit(Spec.workers(2).suspended());
        pass(Duration.ofSeconds(10));
        assertThat(one.drives(job)).isTrue();
        one.cutOff(Duration.ofSeconds(40));
        pass(Duration.ofSeconds(20));
        two.node.jobs().resume(job, Optional.empty());
        pass(Duration.ofSeconds(5));
        assertThat(state(job)).isEqualTo(JobState.RUNNING);
        assertThatThrownBy(() -> one.node.jobs().suspend(job)).isInstanceOf(JobStore.StoreException.class);
        pass(Duration.ofSeconds(20));
        assertThat(one.node.jobs().suspend(job)).isEqualTo(new Jobs.Result.Done());
        assertThat(state(job)).isEqualTo(JobState.STOPPING);
    }

    @Test
    void whoComesBackInTimeGoesOn() {
        JobId job = one.submit(Spec.workers(2));
        pass(Duration.ofSeconds(10));
        one.cutOff(Duration.ofSeconds(8));
        pass(JOB);
        assertThat(one.drives(job) || state(job).isFinal()).isTrue();
        assertThat(two.drives(job)).isFalse();
        pass(JOB);
        assertThat(state(job)).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void a18_aCleanStopLetsAnotherTakeOverAtOnce() {
        JobId job = one.submit(Spec.workers(2));
        pass(Duration.ofSeconds(10));
        one.works = false;
        one.node.reconciler().release();
        pass(Duration.ofSeconds(6));
        assertThat(two.drives(job)).isTrue();
    }

    /** What a former driver has given is counted by the next one before it gives more. */
    @Test
    void a22_capacityIsCountedOverATakeover() {
        JobId running = one.submit(Spec.workers(3).named("first"));
        pass(Duration.ofSeconds(10));
        one.faults.die();
        one.works = false;
        JobId waits = two.submit(Spec.workers(2).named("second"));
        pass(Duration.ofSeconds(30));
        assertThat(state(running)).isEqualTo(JobState.RUNNING);
        assertThat(state(waits)).isEqualTo(JobState.QUEUED);
        pass(JOB);
        assertThat(state(running)).isEqualTo(JobState.SUCCEEDED);
        assertThat(state(waits)).isEqualTo(JobState.RUNNING);
    }

    /** The jobs of the site cannot be read at first, and one more is handed in meanwhile. */
    @Test
    void a22_nothingIsGivenBeforeItIsKnownWhatIsHeld() {
        two.works = false;
        Service three = new Service(
                "three",
                new Fault("JobStore.live", 1, Fault.Kind.FAIL_BEFORE, 0),
                new Fault("JobStore.live", 2, Fault.Kind.FAIL_BEFORE, 0));
        JobId running = one.submit(Spec.workers(3).named("first"));
        pass(Duration.ofSeconds(10));
        one.faults.die();
        one.works = false;
        Site site = Site.of(world.job(running));
        for (int i = 0; i < 60 && three.node.reconciler().sites().lease(site).isEmpty(); i++) {
            pass(Duration.ofMillis(500));
        }
        JobId waits = three.submit(Spec.workers(2).named("second"));
        pass(Duration.ofMillis(500));
        assertThat(three.drives(waits)).isTrue();
        assertThat(state(waits)).isEqualTo(JobState.QUEUED);
        pass(Duration.ofSeconds(10));
        assertThat(three.drives(running)).isTrue();
        assertThat(state(waits)).isEqualTo(JobState.QUEUED);
    }

    /** Two hosts, a driver for each, and one queue: together they never hold more than its quota. */
    @Test
    void a29_aQuotaHoldsOverTheSitesOfAllReplicas() {
        Queues queues = Queues.of(List.of(new Queue(
                "default",
                new Quota(OptionalInt.of(3), OptionalLong.empty(), OptionalLong.empty(), OptionalInt.empty()),
                Optional.empty(),
                true,
                1,
                false,
                Queue.PREEMPT_AFTER)));
        List<Service> hosts = List.of(new Service("h1", queues), new Service("h2", queues));
        List<JobId> jobs = new ArrayList<>();
        for (int number = 0; number < 6; number++) {
            jobs.add(hosts.get(number % 2).submit(Spec.workers(2).named("job-" + number)));
        }
        for (int second = 0;
                second < 1500 && jobs.stream().anyMatch(job -> !state(job).isFinal());
                second++) {
            pass(Duration.ofSeconds(1));
            assertThat(jobs.stream().filter(job -> state(job).holdsCapacity()))
                    .as("jobs of 2 processes that hold at once of a quota of 3")
                    .hasSizeLessThanOrEqualTo(1);
        }
        assertThat(jobs).allMatch(job -> state(job) == JobState.SUCCEEDED);
    }

    @Test
    void aJobWhoseHostHasFallenSilentIsToldToBeUnattended() {
        Service far = new Service("h2", Queues.STANDARD);
        JobId job = far.submit(Spec.workers(1));
        pass(Duration.ofSeconds(5));
        assertThat(state(job)).isEqualTo(JobState.RUNNING);
        assertThat(one.node.jobs().get(job).orElseThrow().unattended()).isEmpty();
        far.works = false;
        pass(LEASE.plusSeconds(2));
        Jobs.View seen = one.node.jobs().get(job).orElseThrow();
        assertThat(seen.unattended())
                .hasValueSatisfying(since -> assertThat(since).isBefore(world.clock.now()));
        assertThat(seen.reason())
                .hasValueSatisfying(why -> assertThat(why).contains("no service follows jobs on local@h2 now"));
        far.works = true;
        pass(Duration.ofSeconds(5));
        assertThat(one.node.jobs().get(job).orElseThrow().unattended()).isEmpty();
    }

    @Test
    void whatIsOnAnotherHostIsRefusedToWhoDoesNotReachIt() throws Exception {
        World.Node far =
                world.node(World.Wrapper.NONE, new ArrayDeque<>(), new ThisReplica("far", Optional.of("h2"), LEASE));
        far.reconciler().start();
        JobId job = ((Jobs.Submission.Accepted)
                        far.jobs().accept(Spec.workers(1).build(), World.ORIGIN, Map.of(), Optional.empty()))
                .id();
        pass(Duration.ofSeconds(5));
        assertThat(state(job)).as("its host's replica has not worked").isEqualTo(JobState.QUEUED);
        assertThat(one.drives(job)).isFalse();
        assertThat(one.node.jobs().get(job).orElseThrow().activity())
                .hasValueSatisfying(why -> assertThat(why).contains("local@h2"));
        one.node.jobs().cancel(job);
        assertThat(state(job)).isEqualTo(JobState.CANCELLED);
        assertThat(one.node.jobs().files(job))
                .isEqualTo(new Jobs.Result.Refused("what it left is on local@h2; ask the replica there"));
        assertThat(far.jobs().files(job)).isEqualTo(new Jobs.Result.Done());
        world.files.here.add(job);
        assertThat(one.node.jobs().files(job)).as("they were fetched").isEqualTo(new Jobs.Result.Done());
        assertThat(one.node.jobs().delete(job)).isInstanceOf(Jobs.Result.Refused.class);
        assertThat(far.jobs().delete(job)).isEqualTo(new Jobs.Result.Done());
    }
}
