package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.Capacity;
import dev.muster.model.JobId;
import dev.muster.model.JobState;
import dev.muster.spi.CheckpointCatalogue;
import dev.muster.spi.JobStore;
import dev.muster.spi.JobStore.StoreException;
import dev.muster.spi.ModelRegistry;
import dev.muster.testkit.FakeBackend.Op;
import dev.muster.testkit.FakeJobStore;
import dev.muster.testkit.FakeProcess;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What goes wrong for one job, or for a while, harms no other and nothing is lost by it. */
final class IsolationTest {
    private final World world = new World();

    @AfterEach
    void nothingViolated() {
        world.checkNothingViolated();
    }

    @Test
    void a16_anExceptionForOneJobDoesNotStopTheOthers() {
        JobId broken = world.nextId();
        world.backend.before(call -> {
            if (call.op() == Op.OBSERVE && call.job().orElseThrow().equals(broken)) {
                throw new IllegalStateException("API answered 500");
            }
        });
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(5)));
        world.submit(Spec.workers(1).named("broken"));
        JobId other = world.submit(Spec.workers(1).named("other"));
        assertThat(world.untilFinal(other).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(world.troubles).isNotEmpty().allMatch(text -> text.contains(broken.value()));
        assertThat(world.troubles).as("with back-off").hasSizeLessThan(12);

        world.backend.before(call -> {});
        assertThat(world.untilFinal(broken).state()).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void a15_aHundredJobsMayChangeAtOnce() {
        world.backend.capacity(new Capacity(200, 1, 1, 0));
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(10)));
        List<JobId> ids = new ArrayList<>();
        for (int job = 0; job < 100; job++) {
            ids.add(world.submit(Spec.workers(2).named("job-" + job)));
        }
        world.pass(Duration.ofSeconds(11));
        ids.forEach(id -> assertThat(world.job(id).state()).isEqualTo(JobState.SUCCEEDED));
    }

    @Test
    void aFullDiskDelaysWhatIsStoredAndLosesNothing() {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(5)));
        JobId id = world.submit(Spec.workers(1));
        world.until(id, JobState.RUNNING);
        world.store.before(call -> {
            if (call != FakeJobStore.Call.READ) {
                throw new StoreException("no space left", StoreException.Kind.DISK_FULL, null);
            }
        });
        world.pass(Duration.ofMinutes(1));
        assertThat(world.job(id).state()).isEqualTo(JobState.RUNNING);
        world.store.before(call -> {});
        assertThat(world.until(id, Duration.ofSeconds(11), job -> job.state().isFinal())
                        .state())
                .isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void whatIsAlreadyDecidedIsDoneThoughTheDiskIsFull() {
        world.otherwise(FakeProcess.runs().ignoringTerm());
        JobId id = world.submit(Spec.workers(1).grace(Duration.ofSeconds(2)));
        world.until(id, JobState.RUNNING);
        world.jobs.cancel(id);
        world.settle();
        world.telemetry.says(id, Said.step(3));
        world.store.before(call -> {
            if (call != FakeJobStore.Call.READ) {
                throw new StoreException("no space left", StoreException.Kind.DISK_FULL, null);
            }
        });
        world.pass(Duration.ofSeconds(20));
        assertThat(world.backend.alive(id)).isEmpty();
        world.store.before(call -> {});
        assertThat(world.untilFinal(id).state()).isEqualTo(JobState.CANCELLED);
    }

    private void fault(Class<?> port, String method, boolean after, RuntimeException problem, int times) {
        world.wrap(new OneFault(port, method, after, problem, times));
        world.boot();
    }

    @Test
    void aFaultOfMustersOwnInPreparingIsTriedAgain() {
        fault(CheckpointCatalogue.class, "choose", false, new IllegalStateException("odd folder"), 4);
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId id = world.submit(Spec.workers(1));
        assertThat(world.untilFinal(id).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(world.job(id).counters().restarts()).isZero();

        fault(CheckpointCatalogue.class, "choose", false, new IllegalStateException("odd folder"), 5);
        JobId never = world.submit(Spec.workers(1).named("never"));
        assertThat(world.untilFinal(never).status().reason())
                .contains("Internal: the job could not be prepared: odd folder");
    }

    @Test
    void aFaultOfMustersOwnInRegisteringIsTriedAgain() {
        fault(ModelRegistry.class, "publish", false, new IllegalStateException("odd file"), 4);
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId id = world.submit(Spec.workers(1).model("m"));
        assertThat(world.untilFinal(id).state()).isEqualTo(JobState.SUCCEEDED);

        fault(ModelRegistry.class, "publish", false, new IllegalStateException("odd file"), 5);
        JobId never = world.submit(Spec.workers(1).named("never").model("m"));
        assertThat(world.untilFinal(never).status().reason())
                .contains("Internal: the model could not be registered: odd file");
    }

    @Test
    void aJobWhoseAcceptanceWasStoredThoughTheAnswerWasLostRuns() {
        fault(JobStore.class, "accept", true, new StoreException("answer lost", StoreException.Kind.OTHER, null), 1);
        JobId id = world.nextId();
        assertThatThrownBy(() -> world.submit(Spec.workers(1))).isInstanceOf(StoreException.class);
        world.until(id, JobState.RUNNING);
    }

    @Test
    void anAdmissionThatWasStoredThoughTheAnswerWasLostHoldsItsPlace() {
        world.backend.capacity(new Capacity(2, 1, 1, 0));
        fault(
                JobStore.class,
                "compareAndSet",
                true,
                new StoreException("answer lost", StoreException.Kind.OTHER, null),
                1);
        JobId first = world.submit(Spec.workers(2).named("first"));
        JobId second = world.submit(Spec.workers(2).named("second"));
        world.until(first, JobState.RUNNING);
        world.pass(Duration.ofMinutes(1));
        assertThat(world.job(second).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void aBrokenRowHarmsItsJobOnly() {
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(5)));
        JobId broken = world.submit(Spec.workers(1).named("broken"));
        JobId other = world.submit(Spec.workers(1).named("other"));
        world.until(other, JobState.RUNNING);
        world.store.garble(broken);
        world.boot();
        assertThat(world.untilFinal(other).state()).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void aJobWhoseRowIsBrokenCanBeRemovedWithWhatRunsOfIt() throws Exception {
        JobId broken = world.submit(Spec.workers(2).named("broken"));
        JobId other = world.submit(Spec.workers(1).named("other"));
        world.until(broken, JobState.RUNNING);
        world.until(other, JobState.RUNNING);
        world.store.garble(broken);
        world.boot();
        world.pass(Duration.ofMinutes(2));
        assertThat(world.backend.alive(broken))
                .as("nobody knows what it is to do")
                .hasSize(2);
        assertThat(world.jobs.discardUnreadable(other)).isFalse();
        assertThat(world.jobs.discardUnreadable(broken)).isTrue();
        assertThat(world.backend.alive(broken)).isEmpty();
        assertThat(world.files.removed).contains(broken);
        assertThat(world.backend.alive(other)).hasSize(1);
        assertThat(world.store.find(broken)).isEmpty();
        world.submit(Spec.workers(1).named("broken"));
    }

    /** As where the version in a row is none: what is to be replaced is never found. */
    @Test
    void aRowThatIsNeverAsItWasReadDoesNotKeepAThreadGoingRound() {
        JobId id = world.submit(Spec.workers(1));
        world.until(id, JobState.RUNNING);
        world.wrap(new World.Wrapper() {
            @Override
            public <T> T around(Class<T> port, T target) {
                InvocationHandler other = (proxy, method, arguments) -> {
                    if (method.getName().equals("compareAndSet") && arguments.length == 3) {
                        return JobStore.Written.OTHER_VERSION;
                    }
                    try {
                        return method.invoke(target, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                };
                return port == JobStore.class
                        ? port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, other))
                        : target;
            }
        });
        world.boot();
        assertThatThrownBy(() -> world.jobs.cancel(id))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(id.value());
    }

    @Test
    void aRecordThatSomebodyElseChangedIsReadAgain() {
        JobId id = world.submit(Spec.workers(1));
        world.until(id, JobState.RUNNING);
        var job = world.job(id);
        world.store.compareAndSet(dev.muster.testkit.SampleJobs.next(job, job.status()), List.of());
        assertThat(world.jobs.cancel(id)).isEqualTo(new Jobs.Result.Done());
        assertThat(world.untilFinal(id).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void aLogThatCannotBeReadDoesNotKeepAJobFromEnding() {
        world.telemetry.findings(key -> {
            throw new IllegalStateException("log is unreadable");
        });
        world.otherwise(FakeProcess.exits(1, Duration.ofSeconds(1)));
        JobId id = world.submit(Spec.workers(1));
        assertThat(world.untilFinal(id).state()).isEqualTo(JobState.FAILED);
    }

    @Test
    void aSweepThatFailsKeepsTheJobFromEndingUntilNothingIsLeft() {
        boolean[] works = {false};
        world.backend.before(call -> {
            if (call.op() == Op.SWEEP && !works[0]) {
                throw new dev.muster.spi.BackendException(
                        dev.muster.spi.BackendException.Kind.FAILED, dev.muster.model.Cause.INTERNAL, "a child stays");
            }
        });
        world.otherwise(FakeProcess.exits(0, Duration.ofSeconds(1)));
        JobId id = world.submit(Spec.workers(1));
        world.pass(Duration.ofMinutes(1));
        assertThat(world.job(id).state()).isEqualTo(JobState.RUNNING);
        works[0] = true;
        assertThat(world.untilFinal(id).state()).isEqualTo(JobState.SUCCEEDED);
    }
}
