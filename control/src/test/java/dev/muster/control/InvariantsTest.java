package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.Attempt;
import dev.muster.model.FrameworkKind;
import dev.muster.model.Group;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessPlan;
import dev.muster.model.SuccessPolicy;
import dev.muster.spi.BackendException;
import dev.muster.spi.Interpreter;
import dev.muster.spi.Launch;
import dev.muster.testkit.FakeFramework;
import dev.muster.testkit.FakeProcess;
import dev.muster.testkit.SampleJobs;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the simulation holds to be broken when it is: invariants that no change to the control plane alone can break, as a store or a backend stands before it. */
final class InvariantsTest {
    private final World world = new World();
    private final Invariants invariants = new Invariants(world);

    private JobId running(Spec spec) {
        JobId id = world.submit(spec);
        world.until(id, JobState.RUNNING);
        return id;
    }

    private Launch launch(JobId id, String process, int attempt) {
        JobRecord job = world.job(id);
        ProcessKey key = World.key(id, process, attempt);
        ProcessPlan plan = new FakeFramework(FrameworkKind.PLAIN, new SuccessPolicy.All())
                .plan(job.spec(), Group.of(job.spec()))
                .process(key.name())
                .orElseThrow();
        return Launches.of(job, key, plan, Interpreter.NONE, Map.of());
    }

    private void isBroken(JobId id, String said) {
        assertThatThrownBy(() -> invariants.check(List.of(id)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(said);
    }

    @Test
    void anEndThatChanges() {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId id = world.submit(Spec.workers(1));
        JobRecord end = world.untilFinal(id);
        invariants.check(List.of(id));
        Attempt other = Attempt.waiting(end.processes().getFirst().name(), 2, 2);
        world.store.compareAndSet(SampleJobs.next(end, end.status(), List.of(other)), List.of());
        isBroken(id, "stays as it ended");
    }

    @Test
    void aStartAfterTheEnd() throws BackendException {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId id = world.submit(Spec.workers(1));
        world.untilFinal(id);
        invariants.check(List.of(id));
        world.backend.start(launch(id, "worker-0", 2));
        isBroken(id, "though the job is SUCCEEDED");
    }

    @Test
    void aSecondAttemptBesideTheFirst() throws BackendException {
        JobId id = running(Spec.workers(1));
        world.backend.start(launch(id, "worker-0", 2));
        isBroken(id, "worker-0/a2");
    }

    @Test
    void aStartOfAJobThatWasCancelledWhileItWaited() {
        running(Spec.workers(64).named("first"));
        JobId id = world.submit(Spec.workers(1));
        world.settle();
        world.backend.startLate(launch(id, "worker-0", 1), FakeProcess.runs());
        world.jobs.cancel(id);
        isBroken(id, "starts of");
    }

    @Test
    void moreThanThereIs() {
        JobId id = running(Spec.workers(3));
        invariants.check(List.of(id));
        world.backend.capacity(new dev.muster.model.Capacity(2, 64_000, 1L << 40, 8));
        isBroken(id, "held");
    }

    @Test
    void aProcessOfAJobThatHoldsNothing() {
        JobId id = running(Spec.workers(1));
        world.store.compareAndSet(SampleJobs.next(world.job(id), JobState.STOPPING), List.of());
        world.store.compareAndSet(SampleJobs.next(world.job(id), JobState.CANCELLED), List.of());
        isBroken(id, "alive while CANCELLED");
    }

    @Test
    void aJobThatIsNotThereOnce() {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId id = world.submit(Spec.workers(1).named("one"));
        world.untilFinal(id);
        invariants.check(List.of(id));
        invariants.checkAfterAll(Set.of(id), Set.of("one"));
        assertThatThrownBy(() -> invariants.checkAfterAll(Set.of(id), Set.of("one", "two")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("accepted jobs");
    }

    @Test
    void aProcessThatIsLeftInTheEnd() {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId id = world.submit(Spec.workers(1).named("one"));
        world.untilFinal(id);
        invariants.check(List.of(id));
        world.backend.startLate(launch(id, "worker-0", 2), FakeProcess.runs());
        assertThatThrownBy(() -> invariants.checkAfterAll(Set.of(id), Set.of("one")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("processes that are left");
    }
}
