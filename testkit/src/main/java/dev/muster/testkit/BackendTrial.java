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
 * Real processes on a backend under test: jobs are started, watched and, after each test, removed with everything they started.
 */
public abstract class BackendTrial {
    /** Long enough for a busy machine; nothing here takes it when all is well. */
    protected static final Duration SOON = Duration.ofSeconds(20);

    private static final AtomicInteger JOBS = new AtomicInteger();

    private final List<Backend> opened = new ArrayList<>();
    private final List<JobId> used = new ArrayList<>();

    /** The backend under test. */
    protected Backend backend;

    /** A new instance over the same place, as a service that was started anew makes it. */
    protected abstract Backend open() throws Exception;

    protected abstract BackendKind kind();

    /** Where logs of processes appear. */
    protected abstract JobFolders folders();

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
        return TrialJob.script(id, kind(), script);
    }

    /** Places the job and starts the first attempt of all its workers. */
    protected final Placement start(TrialJob job) throws BackendException {
        Placement placement = backend.place(job.id(), 1, job.spec(), job.plan());
        for (int index = 0; index < job.workers(); index++) {
            backend.start(job.launch(index, 1, placement, "/"));
        }
        return placement;
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
                SOON,
                () -> seen(key).filter(Seen.Ended.class::isInstance).map(Seen.Ended.class::cast));
    }

    protected final Seen.Running awaitRunning(ProcessKey key) {
        return Await.value(
                key + " runs",
                SOON,
                () -> seen(key).filter(Seen.Running.class::isInstance).map(Seen.Running.class::cast));
    }

    /** The log as text; odd bytes are replaced. */
    protected final String log(ProcessKey key) throws IOException {
        Path log = folders().log(key);
        return Files.exists(log) ? new String(Files.readAllBytes(log), StandardCharsets.UTF_8) : "";
    }

    protected final void awaitLog(ProcessKey key, String text) {
        Await.until(key + " says " + text, SOON, () -> log(key).contains(text));
    }

    /** No process anywhere has the job's id in its environment. */
    protected final void assertNothingRuns(JobId job) throws IOException {
        assertThat(processesOf(job)).as("processes of " + job).isEmpty();
    }

    /** Pids of processes of this machine whose environment names the job. */
    protected static Set<Long> processesOf(JobId job) {
        return Marked.processes("MUSTER_JOB_ID=" + job);
    }
}
