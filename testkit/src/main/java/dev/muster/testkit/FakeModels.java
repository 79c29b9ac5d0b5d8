package dev.muster.testkit;

import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.ModelVersion;
import dev.muster.spi.ModelRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** A registry in memory. A folder is as good as a test says. */
public final class FakeModels implements ModelRegistry {
    private final List<ModelVersion> versions = new ArrayList<>();
    private final Set<JobId> unfinished = new TreeSet<>();
    private Optional<PublishException> failure = Optional.empty();
    private Predicate<JobId> missing = job -> false;
    private Runnable before = () -> {};
    private Runnable after = () -> {};

    /** Every registration fails from now on. */
    public void fail(Cause cause, String message) {
        failure = Optional.of(new PublishException(cause, message));
    }

    /** Registrations work again. */
    public void recover() {
        failure = Optional.empty();
    }

    /** Jobs whose model folder is empty. */
    public void missing(Predicate<JobId> jobs) {
        missing = jobs;
    }

    /** Is run before each registration. */
    public void before(Runnable hook) {
        before = hook;
    }

    /** Is run when the version is visible, before the answer. */
    public void after(Runnable hook) {
        after = hook;
    }

    /** A registration of the job was begun and never ended. */
    public synchronized void leaveUnfinished(JobId job) {
        unfinished.add(job);
    }

    @Override
    public synchronized ModelVersion publish(JobId job, String name, Path folder, Map<String, String> lineage)
            throws PublishException {
        before.run();
        if (missing.test(job)) {
            throw new PublishException(Cause.MODEL_MISSING, "the model folder of job " + job + " is empty");
        }
        if (failure.isPresent()) {
            throw failure.get();
        }
        Optional<ModelVersion> known = of(job);
        if (known.isPresent()) {
            return known.get();
        }
        int number = list(Optional.of(name)).size() + 1;
        ModelVersion version =
                new ModelVersion(name, number, "sha256:" + "0".repeat(64), job, SampleJobs.NOON, lineage);
        versions.add(version);
        unfinished.remove(job);
        after.run();
        return version;
    }

    @Override
    public synchronized Optional<ModelVersion> of(JobId job) {
        return versions.stream().filter(version -> version.job().equals(job)).findFirst();
    }

    @Override
    public synchronized List<ModelVersion> list(Optional<String> name) {
        return versions.reversed().stream()
                .filter(version -> name.isEmpty() || name.get().equals(version.name()))
                .toList();
    }

    @Override
    public Optional<Path> files(String name, int version) {
        return Optional.empty();
    }

    @Override
    public synchronized Set<JobId> unfinished() {
        return Set.copyOf(unfinished);
    }

    @Override
    public synchronized void abandon(JobId job) {
        unfinished.remove(job);
    }
}
