package dev.muster.server;

import dev.muster.model.BackendKind;
import dev.muster.model.Capacity;
import dev.muster.model.JobId;
import dev.muster.model.JobSpec;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Member;
import dev.muster.model.Placement;
import dev.muster.model.Problem;
import dev.muster.model.ProcessKey;
import dev.muster.spi.Backend;
import dev.muster.spi.Clock;
import dev.muster.spi.Launch;
import dev.muster.spi.Rendered;
import dev.muster.spi.Sighting;
import dev.muster.spi.Sighting.Seen;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A backend whose processes are entries in a table that run for a while and end with 0: it costs next to nothing, so what is measured is Muster. */
final class SimulatedProcesses implements Backend {
    private final Clock clock;
    private final Capacity capacity;
    private final Duration running;
    private final Map<JobId, Map<ProcessKey, Instant>> started = new ConcurrentHashMap<>();
    private final ScheduledExecutorService ends = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().factory());
    private volatile Consumer<JobId> listener = id -> {};

    SimulatedProcesses(Clock clock, Capacity capacity, Duration running) {
        this.clock = clock;
        this.capacity = capacity;
        this.running = running;
    }

    @Override
    public BackendKind kind() {
        return BackendKind.LOCAL;
    }

    @Override
    public String moreSharedMemory() {
        return "none is simulated";
    }

    @Override
    public List<Problem> check(JobSpec spec) {
        return List.of();
    }

    @Override
    public Capacity capacity() {
        return capacity;
    }

    @Override
    public Placement place(JobId job, int attempt, JobSpec spec, LaunchPlan plan) {
        return sample(spec, plan);
    }

    @Override
    public Placement sample(JobSpec spec, LaunchPlan plan) {
        Map<Member, String> hosts = new HashMap<>();
        Map<Member, Map<String, Integer>> ports = new HashMap<>();
        plan.ports().forEach((member, names) -> {
            hosts.put(member, "127.0.0.1");
            Map<String, Integer> numbers = new HashMap<>();
            names.forEach(name -> numbers.put(name, 20_000 + numbers.size()));
            ports.put(member, numbers);
        });
        return new Placement(hosts, ports, Map.of());
    }

    @Override
    public Rendered render(Launch launch) {
        return new Rendered(List.of("true"), Map.of(), Map.of());
    }

    @Override
    public void start(Launch launch) {
        ProcessKey key = launch.key();
        if (started.computeIfAbsent(key.job(), id -> new ConcurrentHashMap<>()).putIfAbsent(key, clock.now()) == null) {
            ends.schedule(() -> listener.accept(key.job()), running.toMillis() + 1, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void stop(ProcessKey key, StopHow how) {
        throw new UnsupportedOperationException("nobody is stopped here: " + key);
    }

    @Override
    public List<Sighting> observe(JobId job) {
        Instant now = clock.now();
        return started.getOrDefault(job, Map.of()).entrySet().stream()
                .map(process -> new Sighting(process.getKey(), seen(process.getValue(), now)))
                .toList();
    }

    private Seen seen(Instant start, Instant now) {
        Instant end = start.plus(running);
        return now.isBefore(end)
                ? new Seen.Running(OptionalLong.of(1), "127.0.0.1", start, true)
                : new Seen.Ended(0, false, Optional.of(start), end, Optional.empty());
    }

    @Override
    public void sweep(ProcessKey key) {}

    @Override
    public void release(JobId job) {}

    @Override
    public void remove(JobId job) {
        started.remove(job);
    }

    @Override
    public Set<JobId> jobs() {
        return Set.copyOf(started.keySet());
    }

    @Override
    public void listen(Consumer<JobId> changed) {
        listener = changed;
    }

    @Override
    public void close() {
        ends.shutdownNow();
    }
}
