package dev.muster.store;

import static dev.muster.testkit.SampleJobs.NOON;
import static dev.muster.testkit.SampleJobs.event;
import static dev.muster.testkit.SampleJobs.next;
import static dev.muster.testkit.SampleJobs.queued;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.Site;
import dev.muster.spi.JobStore;
import dev.muster.spi.JobStore.StoreException;
import dev.muster.spi.JobStore.Written;
import dev.muster.spi.Lease;
import dev.muster.spi.Leases.Answer;
import dev.muster.testkit.Await;
import dev.muster.testkit.PostgresServer;
import dev.muster.testkit.SampleSpecCodec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real PostgreSQL that is killed, slow, or asked by a replica that falls silent. */
@Timeout(180)
final class PostgresFaultsTest {
    private static final Duration LONG = Duration.ofHours(1);

    /** Each commit waits 20 ms longer than its disk does. */
    private static PostgresServer server;

    @TempDir
    Path folder;

    private final Postgres database = new Postgres(server);

    @BeforeAll
    static void start() {
        server = PostgresServer.start("fsync=on", "commit_delay=20000", "commit_siblings=0");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private JobStore open() {
        return database.open(folder.resolve("secret.key"));
    }

    /** 64 clients with 10 jobs each would take 12.8 s one after the other; who waits together shares a commit. */
    @Test
    void slowCommitsAreShared() throws Exception {
        try (JobStore store = open();
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            long begun = System.nanoTime();
            List<Future<?>> all = new ArrayList<>();
            for (int client = 0; client < 64; client++) {
                String name = "c" + client + "x";
                all.add(clients.submit(() -> {
                    for (int i = 0; i < 10; i++) {
                        store.accept(queued(name + i, name + i), Map.of(), Optional.empty());
                    }
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofMillis(12_800 / 2));
            assertThat(store.live()).hasSize(640);
        }
    }

    /** What was acknowledged is there, whole; the store goes on by itself once the server is back, and its leases too. */
    @Test
    void a12_aServerKilledAmidCommitsLosesNothingAcknowledged() throws Exception {
        try (JobStore store = open();
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            Lease lease = ((Answer.Taken) store.leases().take(Site.of(queued("x1", "x")), "a", LONG)).lease();
            Map<String, JobState> acknowledged = new ConcurrentHashMap<>();
            AtomicBoolean failed = new AtomicBoolean();
            CountDownLatch busy = new CountDownLatch(100);
            for (int client = 0; client < 16; client++) {
                String name = "c" + client + "x";
                clients.submit(() -> work(store, lease, name, acknowledged, busy, failed));
            }
            busy.await();
            server.kill();
            Await.until("the clients are told", Duration.ofSeconds(60), failed::get);
            server.restart();
            clients.shutdown();
            Await.until("the store works again", Duration.ofSeconds(60), () -> {
                try {
                    return store.leases().renew(lease, LONG);
                } catch (StoreException notYet) {
                    return false;
                }
            });
            assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(50);
            acknowledged.forEach((id, state) -> {
                JobRecord job = store.find(new JobId(id)).orElseThrow();
                assertThat(job.version()).as(id).isGreaterThanOrEqualTo(state == JobState.QUEUED ? 1 : 2);
                assertThat(store.events(job.id(), 0, 9)).hasSize((int) job.version());
            });
        }
    }

    /** Works until the store fails; what is in the map was acknowledged. */
    private static void work(
            JobStore store,
            Lease lease,
            String name,
            Map<String, JobState> acknowledged,
            CountDownLatch busy,
            AtomicBoolean failed) {
        try {
            for (int i = 0; !failed.get(); i++) {
                JobRecord job = queued(name + i, name + i);
                store.accept(job, Map.of("TOKEN", "v"), Optional.empty());
                acknowledged.put(job.id().value(), JobState.QUEUED);
                busy.countDown();
                Written written = store.compareAndSet(
                        next(job, JobState.ADMITTED), List.of(event(job, JobState.ADMITTED, NOON)), lease);
                assertThat(written).isEqualTo(Written.STORED);
                acknowledged.put(job.id().value(), JobState.ADMITTED);
                busy.countDown();
            }
        } catch (StoreException told) {
            failed.set(true);
        }
    }

    /** A replica that is cut off, or stopped, amid a step holds rows of the database; the server lets go of them after a while. */
    @Test
    void whoFallsSilentAmidAStepKeepsNobodyFromTakingItsSite() throws Exception {
        CompletableFuture<Void> goesOn = new CompletableFuture<>();
        JobRecord job = queued("j1", "train");
        try (JobStore store = open();
                PostgresDatabase silent =
                        new PostgresDatabase(database.settings(folder.resolve("secret.key")), 7, CommitHook.NONE);
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            store.accept(job, Map.of(), Optional.empty());
            JobStore zombie = new SqlJobStore(
                    silent, new SampleSpecCodec(), new SecretBox(folder.resolve("secret.key"), null), (id, why) -> {});
            Lease lost = ((Answer.Taken) zombie.leases().take(Site.of(job), "a", Duration.ZERO)).lease();
            CountDownLatch holds = new CountDownLatch(1);
            Future<?> step = clients.submit(() -> silent.write("j1", session -> {
                assertThat(new LeaseTable(silent).isNewest(session, lost)).isTrue();
                session.first("select * from job where id = 'j1' for update", row -> 0);
                holds.countDown();
                goesOn.join();
                return null;
            }));
            holds.await();
            Lease taken = Await.value("the site is taken", Duration.ofSeconds(60), () -> {
                try {
                    return store.leases().take(Site.of(job), "b", LONG) instanceof Answer.Taken answer
                            ? Optional.of(answer.lease())
                            : Optional.empty();
                } catch (StoreException notYet) {
                    return Optional.empty();
                }
            });
            assertThat(store.compareAndSet(next(job, JobState.ADMITTED), List.of(), taken))
                    .isEqualTo(Written.STORED);
            goesOn.complete(null);
            assertThatThrownBy(step::get).cause().isInstanceOf(StoreException.class);
            assertThat(zombie.compareAndSet(next(next(job, JobState.ADMITTED), JobState.STARTING), List.of(), lost))
                    .isEqualTo(Written.LEASE_LOST);
        }
    }

    @Test
    void aDatabaseThatIsNotReachedIsSaidPlainly() {
        PostgresSettings nowhere = new PostgresSettings(
                "postgresql://127.0.0.1:1/none", "muster", Optional.empty(), folder.resolve("secret.key"));
        assertThatThrownBy(() -> PostgresJobStore.open(nowhere, new SampleSpecCodec(), (job, why) -> {}))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("postgresql://127.0.0.1:1/none is not reached")
                .hasMessageContaining("try again");
    }

    /** Those who wait in one transaction are each told what became of theirs alone. */
    @Test
    void oneBadRequestHarmsOnlyItself() throws Exception {
        try (JobStore store = open();
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            JobRecord job = queued("j1", "train");
            store.accept(job, Map.of(), Optional.empty());
            List<Future<JobStore.Accepted>> answers = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                JobRecord each =
                        i % 4 == 1 ? queued("j1", "other" + i) : queued("k" + i, i % 4 == 2 ? "train" : "n" + i);
                answers.add(clients.submit(() -> store.accept(each, Map.of(), Optional.empty())));
            }
            for (int i = 0; i < 40; i++) {
                Future<JobStore.Accepted> answer = answers.get(i);
                switch (i % 4) {
                    case 1 -> assertThatThrownBy(answer::get).cause().isExactlyInstanceOf(IllegalStateException.class);
                    case 2 -> assertThat(answer.get()).isEqualTo(new JobStore.Accepted.NameTaken(job.id()));
                    default -> assertThat(answer.get()).isInstanceOf(JobStore.Accepted.New.class);
                }
            }
            assertThat(store.live()).hasSize(21);
        }
    }

    /** Two replicas are handed the same name and key at once. */
    @Test
    void b52_replicasThatAcceptOneNameAtOnceStoreItOnce() throws Exception {
        try (JobStore one = open();
                JobStore two = open();
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            Set<JobId> given = ConcurrentHashMap.newKeySet();
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                JobRecord job = queued("j" + i, "train");
                JobStore store = i % 2 == 0 ? one : two;
                all.add(clients.submit(() -> {
                    switch (store.accept(job, Map.of(), Optional.of("key"))) {
                        case JobStore.Accepted.New made -> given.add(made.id());
                        case JobStore.Accepted.Same same -> given.add(same.id());
                        case JobStore.Accepted.NameTaken taken -> given.add(taken.by());
                    }
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
            assertThat(given).hasSize(1);
            assertThat(one.live()).hasSize(1);
        }
    }
}
