package dev.muster.testkit;

import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.model.RestartPolicy;
import dev.muster.spi.Telemetry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** Telemetry that says what a test tells it to. As the real one, it reads nothing of an attempt that it was not told to follow. */
public final class FakeTelemetry implements Telemetry {
    private final Map<JobId, Signs> signs = new HashMap<>();
    private final Set<ProcessKey> followed = new HashSet<>();
    private final Set<ProcessKey> following = new HashSet<>();
    private final Set<ProcessKey> finished = new HashSet<>();
    private final List<Consumer<JobId>> listeners = new ArrayList<>();
    private Function<ProcessKey, LogFindings> findings = key -> LogFindings.NONE;

    /** What processes of the job say from now on. */
    public synchronized void says(JobId job, Signs said) {
        signs.put(job, said);
        listeners.forEach(listener -> listener.accept(job));
    }

    /** What is found in the log of each ended process. */
    public void findings(Function<ProcessKey, LogFindings> found) {
        findings = found;
    }

    /** Attempts of which all that they said was read. */
    public Set<ProcessKey> finished() {
        return finished;
    }

    /** Attempts that were ever followed. */
    public Set<ProcessKey> followed() {
        return followed;
    }

    /** The service is gone. */
    public void serviceDied() {
        listeners.clear();
        synchronized (this) {
            following.clear();
        }
    }

    @Override
    public synchronized void follow(ProcessKey key, boolean chief) {
        followed.add(key);
        following.add(key);
    }

    @Override
    public synchronized void finish(ProcessKey key) {
        if (following.contains(key)) {
            finished.add(key);
        }
    }

    @Override
    public synchronized Signs signs(JobId job) {
        return signs.getOrDefault(job, Signs.NONE);
    }

    @Override
    public LogFindings examine(ProcessKey key, List<RestartPolicy.Rule> rules) {
        return findings.apply(key);
    }

    @Override
    public void listen(Consumer<JobId> changed) {
        listeners.add(changed);
    }

    @Override
    public synchronized void forget(JobId job) {
        signs.remove(job);
    }

    @Override
    public void close() {}
}
