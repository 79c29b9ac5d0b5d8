package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.BackendKind;
import dev.muster.model.JobId;
import dev.muster.model.Placement;
import dev.muster.model.ProcessKey;
import dev.muster.spi.Backend;
import dev.muster.spi.BackendException;
import dev.muster.spi.JobFolders;
import dev.muster.spi.Sighting;
import dev.muster.spi.Sighting.Seen;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Real processes on a backend under test: jobs are prepared, started, watched and, after each test, removed with everything they started.
 *
 * <p>Where things are is the same for every backend: what the port promises to be in the service's {@link JobFolders} is read there, and
 * what the service writes there (the control folder) has to reach the processes.
 */
public abstract class BackendTrial {
    private static final AtomicInteger JOBS = new AtomicInteger();

    private final List<Backend> opened = new ArrayList<>();
    private final List<JobId> used = new ArrayList<>();

    /** The backend under test. */
    protected Backend backend;

    /** A new instance over the same place, as a service that was started anew makes it. */
    protected abstract Backend open() throws Exception;

    protected abstract BackendKind kind();

    /** The folders of the service. */
    protected abstract JobFolders folders();

    /** What containers are made of, with {@code sh}, and {@code python3} where a test listens; empty where there are none. */
    protected Optional<String> image() {
        return Optional.empty();
    }

    /** Within this everything happens that is awaited: long enough for a busy machine, and never taken when all is well. */
    protected Duration soon() {
        return Duration.ofSeconds(60);
    }

    /**
     * Pids of the processes of this machine that belong to the job, containers' own included: those whose environment names it. A
     * backend whose processes run on another kernel says how it sees them.
     */
    protected Set<Long> processesOf(JobId job) {
        return Marked.processes("MUSTER_JOB_ID=" + job);
    }

    @BeforeEach
    final void openBackend() throws Exception {
        backend = restarted();
    }

    @AfterEach
    final void endEverything() throws Exception {
        for (JobId job : used) {
            backend.remove(job);
        }
        opened.forEach(Backend::close);
    }

    /** Another service over the same place; the one before is abandoned as it stands, like one that was killed. */
    protected final Backend restarted() throws Exception {
        backend = open();
        opened.add(backend);
        return backend;
    }

    /** A job of one worker that runs a script; its processes are gone when the test is. */
    protected final TrialJob job(String script) {
        // Other tests run on this machine, also in other JVMs, and some look for processes by the job's id.
        JobId id = new JobId("t" + Long.toString(ProcessHandle.current().pid(), 36) + "x"
                + Integer.toString(JOBS.incrementAndGet(), 36));
        used.add(id);
        TrialJob job = TrialJob.script(id, kind(), script);
        return image().map(job::withImage).orElse(job);
    }

    /** Prepares and places the first attempt of the job's group, as the service does before anything is started. */
    protected final Placement place(TrialJob job) throws BackendException {
        backend.prepare(job.id(), job.spec(), job.origin(), line -> {});
        return backend.place(job.id(), 1, job.spec(), job.plan());
    }

    /** Places the job and starts the first attempt of all its workers. */
    protected final Placement start(TrialJob job) throws BackendException {
        Placement placement = place(job);
        for (int index = 0; index < job.workers(); index++) {
            backend.start(job.launch(index, 1, placement, "/"));
        }
        return placement;
    }

    /** Starts the second attempt of the first worker, which is over, as the service restarts a process. */
    protected final void startAgain(TrialJob job, Placement placement) throws BackendException {
        backend.sweep(job.key(0, 1));
        backend.start(job.launch(0, 2, placement, "/"));
    }

    /** Writes {@code stop} into the job's control folder, as the service does; scripts of tests wait for it. */
    protected final void letGo(TrialJob job) throws IOException {
        Path control = folders().control(job.id());
        Files.createDirectories(control);
        try {
            Files.createFile(control.resolve("stop"));
        } catch (FileAlreadyExistsException already) {
            return;
        }
    }

    protected final Optional<Seen> seen(ProcessKey key) throws BackendException {
        return backend.observe(key.job()).stream()
                .filter(sighting -> sighting.key().equals(key))
                .map(Sighting::state)
                .findFirst();
    }

    protected final Seen.Ended awaitEnd(ProcessKey key) {
        return Await.value(
                key + " ends",
                soon(),
                () -> seen(key).filter(Seen.Ended.class::isInstance).map(Seen.Ended.class::cast));
    }

    protected final Seen.Running awaitRunning(ProcessKey key) {
        return Await.value(
                key + " runs",
                soon(),
                () -> seen(key).filter(Seen.Running.class::isInstance).map(Seen.Running.class::cast));
    }

    /** The log as text; odd bytes are replaced. It is whole once the end of the attempt is seen. */
    protected final String log(ProcessKey key) throws IOException {
        Path log = folders().log(key);
        return Files.exists(log) ? new String(Files.readAllBytes(log), StandardCharsets.UTF_8) : "";
    }

    protected final void awaitLog(ProcessKey key, String text) {
        Await.until(key + " says " + text, soon(), () -> log(key).contains(text));
    }

    /** Nothing of the job runs anywhere. */
    protected final void assertNothingRuns(JobId job) {
        assertThat(processesOf(job)).as("processes of " + job).isEmpty();
    }
}
