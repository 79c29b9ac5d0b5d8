package dev.muster.server;

import dev.muster.backend.kubernetes.KubeconfigException;
import dev.muster.model.BackendKind;
import dev.muster.model.Capacity;
import dev.muster.model.JobId;
import dev.muster.model.JobSpec;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Origin;
import dev.muster.model.Placement;
import dev.muster.model.Problem;
import dev.muster.model.ProcessKey;
import dev.muster.spi.Backend;
import dev.muster.spi.BackendException;
import dev.muster.spi.Evidence;
import dev.muster.spi.Launch;
import dev.muster.spi.Rendered;
import dev.muster.spi.Sighting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A backend that is opened when it is first needed, so that a service that never uses it does not pay for it, nor talks to a platform nobody asked it to
 * talk to. That it was used is noted in the home: a later service then looks for what an earlier one left there.
 */
final class LazyBackend implements Backend {
    private final BackendKind kind;
    private final Path used;
    private final Supplier<Backend> opening;
    private final List<Consumer<JobId>> listeners = new ArrayList<>();
    private Optional<Backend> open = Optional.empty();

    /**
     * @param used    a file that is there once it was used
     * @param opening opens it
     */
    LazyBackend(BackendKind kind, Path used, Supplier<Backend> opening) {
        this.kind = kind;
        this.used = used;
        this.opening = opening;
    }

    private synchronized Backend backend() {
        if (open.isEmpty()) {
            noteUse();
            Backend opened = opening.get();
            listeners.forEach(opened::listen);
            open = Optional.of(opened);
        }
        return open.get();
    }

    private void noteUse() {
        try {
            if (!Files.exists(used)) {
                Files.createFile(used);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public BackendKind kind() {
        return kind;
    }

    @Override
    public List<Problem> check(JobSpec spec) {
        try {
            return backend().check(spec);
        } catch (KubeconfigException unreadable) {
            return List.of(Problem.of(
                    "backend",
                    kind.text() + " is not available in this service: " + unreadable.getMessage(),
                    "correct that file, or name another by KUBECONFIG"));
        }
    }

    @Override
    public Capacity capacity() {
        // Also asked by who only measures; a job is checked first, which opens it.
        return Files.exists(used) ? backend().capacity() : Capacity.ZERO;
    }

    @Override
    public boolean hasOwnPython() {
        return backend().hasOwnPython();
    }

    @Override
    public boolean startsSingly() {
        return backend().startsSingly();
    }

    @Override
    public String moreSharedMemory() {
        return backend().moreSharedMemory();
    }

    @Override
    public Duration settleWindow() {
        return backend().settleWindow();
    }

    @Override
    public void prepare(JobId job, JobSpec spec, Origin origin, Consumer<String> progress) throws BackendException {
        backend().prepare(job, spec, origin, progress);
    }

    @Override
    public Placement place(JobId job, int attempt, JobSpec spec, LaunchPlan plan) throws BackendException {
        return backend().place(job, attempt, spec, plan);
    }

    @Override
    public Placement sample(JobSpec spec, LaunchPlan plan) {
        return backend().sample(spec, plan);
    }

    @Override
    public Rendered render(Launch launch) {
        return backend().render(launch);
    }

    @Override
    public void start(Launch launch) throws BackendException {
        backend().start(launch);
    }

    @Override
    public void stop(ProcessKey key, StopHow how) throws BackendException {
        backend().stop(key, how);
    }

    @Override
    public List<Sighting> observe(JobId job) throws BackendException {
        return backend().observe(job);
    }

    @Override
    public Evidence evidence(ProcessKey key) throws BackendException {
        return backend().evidence(key);
    }

    @Override
    public Map<ProcessKey, Double> wantedCores(JobId job) throws BackendException {
        return backend().wantedCores(job);
    }

    @Override
    public void sweep(ProcessKey key) throws BackendException {
        backend().sweep(key);
    }

    @Override
    public void collect(JobId job) throws BackendException {
        backend().collect(job);
    }

    @Override
    public void release(JobId job) throws BackendException {
        backend().release(job);
    }

    @Override
    public void remove(JobId job) throws BackendException {
        backend().remove(job);
    }

    @Override
    public Set<JobId> jobs() throws BackendException {
        return Files.exists(used) ? backend().jobs() : Set.of();
    }

    @Override
    public synchronized void listen(Consumer<JobId> changed) {
        listeners.add(changed);
        open.ifPresent(backend -> backend.listen(changed));
    }

    @Override
    public synchronized void close() {
        open.ifPresent(Backend::close);
    }
}
