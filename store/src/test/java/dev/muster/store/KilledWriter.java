package dev.muster.store;

import dev.muster.model.Attempt;
import dev.muster.model.JobRecord;
import dev.muster.model.JobRecord.Status;
import dev.muster.model.JobState;
import dev.muster.model.ProcessName;
import dev.muster.model.ProcessState;
import dev.muster.spi.JobStore;
import dev.muster.testkit.SampleJobs;
import dev.muster.testkit.SampleSpecCodec;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A program that stores jobs without end and says what was acknowledged, until it is killed. Argument: the store's folder. */
final class KilledWriter {
    private static final int CLIENTS = 4;
    private static final PrintStream OUT = System.out;

    private KilledWriter() {}

    public static void main(String[] arguments) {
        JobStore store = SqliteJobStore.open(Path.of(arguments[0]), new SampleSpecCodec(), (job, why) -> {});
        for (int client = 0; client < CLIENTS; client++) {
            int number = client;
            Thread.ofPlatform().start(() -> {
                for (int i = 0; ; i++) {
                    live(store, "c" + number + "j" + i);
                }
            });
        }
    }

    /** One job from its submission on; each version carries its own number in every part that a step writes. */
    private static void live(JobStore store, String id) {
        JobRecord job = SampleJobs.queued(id, id);
        store.accept(job, Map.of("TOKEN", id), Optional.of(id));
        say(job);
        for (JobState state : List.of(
                JobState.ADMITTED, JobState.STARTING, JobState.RUNNING, JobState.STOPPING, JobState.CANCELLED)) {
            long version = job.version() + 1;
            Attempt attempt = new Attempt(
                    new ProcessName("worker", 0),
                    1,
                    1,
                    ProcessState.RUNNING,
                    Optional.empty(),
                    OptionalLong.of(version),
                    Optional.empty(),
                    Optional.empty(),
                    true,
                    Optional.empty());
            JobRecord next = SampleJobs.next(job, Status.of(state), List.of(attempt));
            store.compareAndSet(next, List.of(SampleJobs.event(job, state, SampleJobs.NOON)));
            say(next);
            job = next;
        }
    }

    private static void say(JobRecord job) {
        synchronized (OUT) {
            OUT.println(job.id() + " " + job.version());
            OUT.flush();
        }
    }
}
