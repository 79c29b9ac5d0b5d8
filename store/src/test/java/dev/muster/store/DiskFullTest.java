package dev.muster.store;

import static dev.muster.testkit.SampleJobs.NOON;
import static dev.muster.testkit.SampleJobs.event;
import static dev.muster.testkit.SampleJobs.next;
import static dev.muster.testkit.SampleJobs.queued;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.spi.JobStore;
import dev.muster.spi.JobStore.Accepted;
import dev.muster.spi.JobStore.Query;
import dev.muster.spi.JobStore.StoreException;
import dev.muster.testkit.SampleSpecCodec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database that may not grow answers as a full disk does. */
final class DiskFullTest {
    private static final String BIG = "x".repeat(100_000);

    @TempDir
    Path folder;

    private SqliteDatabase database;
    private JobStore store;

    @BeforeEach
    void open() {
        database = new SqliteDatabase(folder.resolve("muster.db"));
        store = SqliteJobStore.over(database, folder, new SampleSpecCodec(), (job, why) -> {});
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void full() {
        database.pragma("max_page_count = 1");
    }

    private void roomy() {
        database.pragma("max_page_count = 1000000");
    }

    private JobRecord big(String id) {
        JobRecord job = queued(id, "name-" + id);
        return new JobRecord(
                job.id(),
                job.spec(),
                job.origin(),
                job.status(),
                job.counters(),
                job.times(),
                job.placement(),
                Optional.of(BIG),
                List.of(),
                Optional.empty(),
                1);
    }

    @Test
    void nothingIsStoredAndLaterCallsWork() {
        JobRecord small = queued("j1", "small");
        store.accept(small, Map.of(), Optional.empty());
        full();
        StoreException refused = catchThrowableOfType(
                StoreException.class, () -> store.accept(big("j2"), Map.of("TOKEN", "v"), Optional.of("key")));
        assertThat(refused.diskFull()).isTrue();
        assertThat(refused).hasMessageContaining("muster.db").hasMessageContaining("free some space");
        assertThat(store.find(new JobId("j2"))).isEmpty();
        assertThat(store.secrets(new JobId("j2"))).isEmpty();
        assertThat(store.list(Query.newest(9)).jobs()).containsExactly(small);

        JobRecord admitted = next(big("j1"), JobState.ADMITTED);
        StoreException late = catchThrowableOfType(
                StoreException.class,
                () -> store.compareAndSet(admitted, List.of(event(small, JobState.ADMITTED, NOON))));
        assertThat(late.diskFull()).isTrue();
        assertThat(store.find(small.id())).contains(small);
        assertThat(store.events(small.id(), 0, 9)).hasSize(1);

        roomy();
        assertThat(store.compareAndSet(next(small, JobState.ADMITTED), List.of()))
                .isTrue();
        assertThat(store.accept(big("j2"), Map.of("TOKEN", "v"), Optional.of("key")))
                .isEqualTo(new Accepted.New(new JobId("j2")));
        assertThat(store.secrets(new JobId("j2"))).containsEntry("TOKEN", "v");
    }

    /** Small steps beside a big one that does not fit: each is judged by itself, though all share a transaction. */
    @Test
    void onlyTheRequestThatDoesNotFitFails() throws Exception {
        List<JobRecord> small = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            small.add(queued("s" + i, "small-" + i));
            store.accept(small.get(i), Map.of(), Optional.empty());
        }
        full();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> bigs = new ArrayList<>();
            List<Future<Boolean>> steps = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                JobRecord big = big("b" + i);
                JobRecord step = next(small.get(i), JobState.ADMITTED);
                bigs.add(clients.submit(() -> catchThrowableOfType(
                        StoreException.class, () -> store.accept(big, Map.of(), Optional.empty()))));
                steps.add(clients.submit(() -> store.compareAndSet(step, List.of())));
            }
            for (int i = 0; i < 20; i++) {
                assertThat(bigs.get(i).get())
                        .isInstanceOfSatisfying(
                                StoreException.class,
                                full -> assertThat(full.diskFull()).isTrue());
                assertThat(steps.get(i).get()).isTrue();
            }
        }
        assertThat(store.live()).hasSize(20).allMatch(job -> job.state() == JobState.ADMITTED);
    }
}
