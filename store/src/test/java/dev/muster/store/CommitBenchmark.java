package dev.muster.store;

import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.spi.JobStore;
import dev.muster.testkit.SampleJobs;
import dev.muster.testkit.SampleSpecCodec;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Prints how many durable changes of jobs a second the store makes and how long one takes, for 1 and 64 clients. Arguments: a
 * folder on the disk to be measured (a new one in /tmp when absent), seconds a round (3), and the URL of an empty PostgreSQL database to
 * measure instead of SQLite.
 */
final class CommitBenchmark {
    private static final PrintStream OUT = System.out;

    private CommitBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = arguments.length > 0
                ? Path.of(arguments[0]).toAbsolutePath()
                : Files.createTempDirectory("muster-commits");
        int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3;
        long opening = System.nanoTime();
        try (JobStore store = open(folder, arguments.length > 2 ? arguments[2] : "")) {
            OUT.printf("open: %.0f ms%n", (System.nanoTime() - opening) / 1e6);
            opening = System.nanoTime();
            store.live();
            OUT.printf("first read: %.0f ms%n", (System.nanoTime() - opening) / 1e6);
            round(store, "warm", 8, 1);
            accepts(store, 64, seconds);
            for (int clients : new int[] {1, 64}) {
                round(store, "c" + clients + "x", clients, seconds);
            }
        }
    }

    private static JobStore open(Path folder, String url) {
        return url.isEmpty()
                ? SqliteJobStore.open(folder.resolve("store"), new SampleSpecCodec(), (job, why) -> {})
                : PostgresJobStore.open(
                        new PostgresSettings(url, "muster", Optional.empty(), folder.resolve("secret.key")),
                        new SampleSpecCodec(),
                        (job, why) -> {});
    }

    private static void round(JobStore store, String prefix, int clients, int seconds) throws InterruptedException {
        ConcurrentLinkedQueue<Long> nanos = new ConcurrentLinkedQueue<>();
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        Thread[] threads = new Thread[clients];
        for (int client = 0; client < clients; client++) {
            String id = prefix + client;
            threads[client] = Thread.ofVirtual().start(() -> {
                JobRecord job = SampleJobs.queued(id, id);
                store.accept(job, Map.of(), Optional.empty());
                while (System.nanoTime() < end) {
                    JobState state = job.state() == JobState.QUEUED ? JobState.SUSPENDED : JobState.QUEUED;
                    JobRecord next = SampleJobs.next(job, state);
                    long start = System.nanoTime();
                    store.compareAndSet(next, List.of(SampleJobs.event(job, state, SampleJobs.NOON)));
                    nanos.add(System.nanoTime() - start);
                    job = next;
                }
            });
        }
        for (Thread thread : threads) {
            thread.join();
        }
        long[] sorted = nanos.stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(sorted);
        OUT.printf(
                "%d clients: %d commits/s, median %.2f ms, p99 %.2f ms, worst %.1f ms%n",
                clients,
                sorted.length / seconds,
                sorted[sorted.length / 2] / 1e6,
                sorted[(int) (sorted.length * 0.99)] / 1e6,
                sorted[sorted.length - 1] / 1e6);
    }

    private static void accepts(JobStore store, int clients, int seconds) throws InterruptedException {
        AtomicLong accepted = new AtomicLong();
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        Thread[] threads = new Thread[clients];
        for (int client = 0; client < clients; client++) {
            String prefix = "a" + client + "x";
            threads[client] = Thread.ofVirtual().start(() -> {
                for (int i = 0; System.nanoTime() < end; i++) {
                    store.accept(SampleJobs.queued(prefix + i, prefix + i), Map.of(), Optional.of(prefix + i));
                    accepted.incrementAndGet();
                }
            });
        }
        for (Thread thread : threads) {
            thread.join();
        }
        OUT.printf("%d clients: %d accepted jobs/s%n", clients, accepted.get() / seconds);
    }
}
