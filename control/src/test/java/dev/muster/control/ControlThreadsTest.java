package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.BackendKind;
import dev.muster.model.Capacity;
import dev.muster.model.FrameworkKind;
import dev.muster.model.JobId;
import dev.muster.model.JobState;
import dev.muster.model.SuccessPolicy;
import dev.muster.testkit.FakeBackend;
import dev.muster.testkit.FakeCheckpoints;
import dev.muster.testkit.FakeEnvironments;
import dev.muster.testkit.FakeFramework;
import dev.muster.testkit.FakeIds;
import dev.muster.testkit.FakeJobStore;
import dev.muster.testkit.FakeModels;
import dev.muster.testkit.FakeProcess;
import dev.muster.testkit.FakeTelemetry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The control plane with its threads, in real time. */
final class ControlThreadsTest {
    private final FakeJobStore store = new FakeJobStore();
    private final FakeBackend backend = new FakeBackend(Instant::now);
    private final ConcurrentLinkedQueue<String> troubles = new ConcurrentLinkedQueue<>();

    @Test
    @Timeout(60)
    void manyJobsRunAtOnceAndEachEndsOnce() {
        backend.capacity(new Capacity(40, 1, 1, 0));
        backend.script(key -> FakeProcess.exits(0, Duration.ofMillis(5)));
        try (ExecutorService slow = Executors.newVirtualThreadPerTaskExecutor();
                ControlThreads threads = new ControlThreads(ports(), surroundings(slow))) {
            Jobs jobs = new Jobs(ports(), surroundings(slow), threads.reconciler());
            threads.start();
            List<JobId> ids = new ArrayList<>();
            for (int job = 0; job < 200; job++) {
                Jobs.Submission answer = jobs.accept(
                        Spec.workers(2).named("job-" + job).build(), World.ORIGIN, Map.of(), Optional.empty());
                ids.add(((Jobs.Submission.Accepted) answer).id());
            }
            Instant patience = Instant.now().plusSeconds(50);
            while (!store.live().isEmpty() && Instant.now().isBefore(patience)) {
                backend.tick();
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(ids).allMatch(id -> store.find(id).orElseThrow().state() == JobState.SUCCEEDED);
            assertThat(backend.launches()).hasSize(400);
        }
        assertThat(troubles).isEmpty();
        assertThat(backend.violations()).isEmpty();
    }

    @Test
    @Timeout(60)
    void aRequestDoesNotWaitForALongRowOfStarts() throws InterruptedException {
        try (ExecutorService slow = Executors.newVirtualThreadPerTaskExecutor()) {
            Reconciler reconciler = new Reconciler(ports(), surroundings(slow), () -> {});
            Jobs jobs = new Jobs(ports(), surroundings(slow), reconciler);
            AtomicReference<Thread> cancelling = new AtomicReference<>();
            backend.before(call -> {
                if (call.op() == FakeBackend.Op.START && cancelling.get() == null) {
                    cancelling.set(Thread.ofVirtual()
                            .start(() -> jobs.cancel(call.job().orElseThrow())));
                    Instant bound = Instant.now().plusSeconds(20);
                    while (cancelling.get().getState() != Thread.State.WAITING
                            && Instant.now().isBefore(bound)) {
                        Thread.onSpinWait();
                    }
                }
            });
            reconciler.start();
            jobs.accept(Spec.workers(20).build(), World.ORIGIN, Map.of(), Optional.empty());
            Instant patience = Instant.now().plusSeconds(50);
            while (!store.live().isEmpty() && Instant.now().isBefore(patience)) {
                backend.tick();
                reconciler.doWork();
            }
            cancelling.get().join();
            assertThat(store.live()).isEmpty();
            assertThat(backend.launches()).hasSize(1);
        }
    }

    private Ports ports() {
        return new Ports(
                store,
                Map.of(BackendKind.LOCAL, backend),
                Map.of(FrameworkKind.PLAIN, new FakeFramework(FrameworkKind.PLAIN, new SuccessPolicy.All())),
                new FakeEnvironments(),
                new FakeCheckpoints(),
                new FakeModels(),
                new FakeTelemetry());
    }

    private Surroundings surroundings(ExecutorService slow) {
        return new Surroundings(
                Instant::now,
                new FakeIds(),
                new FolderJobFiles(new dev.muster.spi.JobFolders(
                        java.nio.file.Path.of("target").toAbsolutePath())),
                slow,
                (what, problem) -> troubles.add(what + ": " + problem));
    }
}
