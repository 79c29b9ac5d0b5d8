package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Attempt;
import dev.muster.model.BackendKind;
import dev.muster.model.Event;
import dev.muster.model.FrameworkKind;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.JobTransition;
import dev.muster.model.Origin;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.model.Queue;
import dev.muster.model.Queues;
import dev.muster.model.SuccessPolicy;
import dev.muster.spi.Backend;
import dev.muster.spi.CheckpointCatalogue;
import dev.muster.spi.JobStore;
import dev.muster.spi.ModelRegistry;
import dev.muster.spi.Telemetry;
import dev.muster.testkit.FakeBackend;
import dev.muster.testkit.FakeCheckpoints;
import dev.muster.testkit.FakeClock;
import dev.muster.testkit.FakeEnvironments;
import dev.muster.testkit.FakeFramework;
import dev.muster.testkit.FakeIds;
import dev.muster.testkit.FakeJobStore;
import dev.muster.testkit.FakeModels;
import dev.muster.testkit.FakeProcess;
import dev.muster.testkit.FakeTelemetry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The control plane over fakes, in virtual time and on one thread: what it does follows from the script alone. */
final class World {
    static final Origin ORIGIN =
            new Origin("ann", "/home/ann/job", Optional.empty(), Optional.empty(), "/usr/bin", Map.of());

    final FakeClock clock;
    final FakeJobStore store;
    final FakeBackend backend;
    final FakeTelemetry telemetry = new FakeTelemetry();
    final FakeCheckpoints checkpoints = new FakeCheckpoints();
    final FakeModels models = new FakeModels();
    final FakeEnvironments environments = new FakeEnvironments();
    final Files files = new Files();
    final Deque<Runnable> slow = new ArrayDeque<>();
    final List<String> troubles = new ArrayList<>();
    private final FakeIds ids = new FakeIds();
    private final Hearsay hearsay = new Hearsay();
    private final Map<ProcessKey, FakeProcess> script = new HashMap<>();
    private FakeProcess otherwise = FakeProcess.runs();
    private Wrapper wrapper = Wrapper.NONE;
    private Queues queues = Queues.STANDARD;
    Reconciler reconciler;
    Jobs jobs;

    /** Stands between the control plane and a port. */
    interface Wrapper {
        Wrapper NONE = new Wrapper() {
            @Override
            public <T> T around(Class<T> port, T target) {
                return target;
            }
        };

        <T> T around(Class<T> port, T target);
    }

    World() {
        this(new FakeClock());
    }

    private World(FakeClock clock) {
        this(new FakeBackend(clock), clock);
    }

    /** Another service, with a store of its own, over a backend that is there already. */
    World(FakeBackend backend, FakeClock clock) {
        this.backend = backend;
        this.clock = clock;
        this.store = new FakeJobStore(clock);
        backend.script(key -> script.getOrDefault(key, otherwise));
        boot();
    }

    /** The next service finds its ports behind this. */
    void wrap(Wrapper around) {
        wrapper = around;
    }

    /** A new service that is configured with these queues, over what the old one left. */
    World queues(Queue... configured) {
        configure(Queues.of(List.of(configured)));
        boot();
        return this;
    }

    /** The next service is configured with these queues. */
    void configure(Queues configured) {
        queues = configured;
    }

    Queues queues() {
        return queues;
    }

    /** A new service over what the old one left. */
    void boot() {
        backend.serviceDied();
        telemetry.serviceDied();
        slow.clear();
        Node node = node(wrapper, slow, ThisReplica.ALONE);
        reconciler = node.reconciler();
        jobs = node.jobs();
        reconciler.start();
    }

    /**
     * One service over this world: what it has in memory is lost with it.
     *
     * @param slow what it has to do that takes long
     */
    record Node(Reconciler reconciler, Jobs jobs, Deque<Runnable> slow) {}

    /** A service that is still to be started, beside those that are there. */
    Node node(Wrapper around, Deque<Runnable> slowWork, ThisReplica replica) {
        return node(around, slowWork, replica, queues);
    }

    Node node(Wrapper around, Deque<Runnable> slowWork, ThisReplica replica, Queues queues) {
        Ports ports = new Ports(
                around.around(JobStore.class, hearsay.of(store)),
                Map.of(BackendKind.LOCAL, around.around(Backend.class, backend)),
                Map.of(
                        FrameworkKind.PLAIN,
                        new FakeFramework(FrameworkKind.PLAIN, new SuccessPolicy.All()),
                        FrameworkKind.TENSORFLOW,
                        new FakeFramework(FrameworkKind.TENSORFLOW, new SuccessPolicy.Chief()),
                        FrameworkKind.PYTORCH,
                        new FakeFramework(FrameworkKind.PYTORCH, new SuccessPolicy.All()),
                        FrameworkKind.HOROVOD,
                        new FakeFramework(FrameworkKind.HOROVOD, new SuccessPolicy.All())),
                environments,
                around.around(CheckpointCatalogue.class, checkpoints),
                around.around(ModelRegistry.class, models),
                around.around(Telemetry.class, telemetry));
        Surroundings surroundings = new Surroundings(
                clock,
                ids,
                around.around(JobFiles.class, files),
                slowWork::add,
                (what, problem) -> troubles.add(what + ": " + problem),
                replica,
                Surroundings.FOREVER,
                queues);
        Reconciler made = new Reconciler(ports, surroundings, () -> {});
        return new Node(made, new Jobs(ports, surroundings, made), slowWork);
    }

    /** How attempts that have no script of their own behave. */
    void otherwise(FakeProcess behaviour) {
        otherwise = behaviour;
    }

    /** How one attempt behaves. */
    World script(JobId job, String process, int attempt, FakeProcess behaviour) {
        script.put(key(job, process, attempt), behaviour);
        return this;
    }

    static ProcessKey key(JobId job, String process, int attempt) {
        return new ProcessKey(job, ProcessName.parse(process).orElseThrow(), attempt);
    }

    /** The id the next accepted job gets. */
    JobId nextId() {
        return ids.next();
    }

    JobId submit(String user, Spec spec) {
        Origin origin = new Origin(user, "/home/" + user, Optional.empty(), Optional.empty(), "/usr/bin", Map.of());
        Jobs.Submission answer = jobs.accept(spec.build(), origin, Map.of(), Optional.empty());
        return ((Jobs.Submission.Accepted) answer).id();
    }

    JobId submit(Spec spec) {
        Jobs.Submission answer = jobs.accept(spec.build(), ORIGIN, Map.of(), Optional.empty());
        assertThat(answer).isInstanceOf(Jobs.Submission.Accepted.class);
        return ((Jobs.Submission.Accepted) answer).id();
    }

    /** Does one thing that is due now; false when nothing is. */
    boolean step() {
        backend.tick();
        Runnable task = slow.poll();
        if (task != null) {
            task.run();
            return true;
        }
        return reconciler.doWork();
    }

    /** Does what is due now but what is slow, which no one finds the time for. */
    void workWithoutSlow() {
        backend.tick();
        int steps = 0;
        while (reconciler.doWork()) {
            assertThat(++steps).as("steps without time passing").isLessThan(10_000);
        }
    }

    /** Does all that is due now. */
    void settle() {
        int steps = 0;
        while (step()) {
            assertThat(++steps)
                    .as("steps without time passing; troubles %s", troubles)
                    .isLessThan(10_000);
        }
    }

    /** Lets virtual time pass, from one thing that happens to the next. */
    void pass(Duration duration) {
        Instant end = clock.now().plus(duration);
        settle();
        while (next().isPresent() && !next().get().isAfter(end)) {
            clock.advanceTo(next().get());
            settle();
        }
        clock.advanceTo(end);
        settle();
    }

    private Optional<Instant> next() {
        Optional<Instant> work = reconciler.nextWork();
        Optional<Instant> change = backend.nextChange();
        if (work.isEmpty() || change.isEmpty()) {
            return work.or(() -> change);
        }
        return work.get().isBefore(change.get()) ? work : change;
    }

    JobRecord job(JobId id) {
        return store.find(id).orElseThrow();
    }

    /** Lets time pass until the job is as wanted, at most so long. */
    JobRecord until(JobId id, Duration bound, Predicate<JobRecord> wanted) {
        Instant end = clock.now().plus(bound);
        settle();
        while (!wanted.test(job(id))) {
            Optional<Instant> next = next();
            assertThat(next.isPresent() && !next.get().isAfter(end))
                    .as("job within %s; it is %s, troubles %s", bound, job(id), troubles)
                    .isTrue();
            clock.advanceTo(next.get());
            settle();
        }
        return job(id);
    }

    JobRecord until(JobId id, JobState state) {
        return until(id, Duration.ofMinutes(15), job -> job.state() == state);
    }

    JobRecord untilFinal(JobId id) {
        return until(id, Duration.ofHours(3), job -> job.state().isFinal());
    }

    Attempt process(JobId id, String name) {
        return job(id).processes().stream()
                .filter(attempt -> attempt.name().toString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    List<Event> events(JobId id) {
        return store.events(id, 0, Integer.MAX_VALUE);
    }

    /** The states the job went through, in order. */
    List<String> path(JobId id) {
        return events(id).stream()
                .filter(event -> event.process().isEmpty() && !event.from().equals(Optional.of(event.to())))
                .map(Event::to)
                .toList();
    }

    /** Rows of the table that the job took. */
    Set<JobTransition> transitions(JobId id) {
        Set<JobTransition> rows = EnumSet.noneOf(JobTransition.class);
        for (Event event : events(id)) {
            if (event.process().isEmpty() && !event.from().equals(Optional.of(event.to()))) {
                rows.add(JobTransition.between(event.from().map(World::state), state(event.to()))
                        .orElseThrow());
            }
        }
        return rows;
    }

    private static JobState state(String text) {
        for (JobState state : JobState.values()) {
            if (state.text().equals(text)) {
                return state;
            }
        }
        throw new IllegalArgumentException(text);
    }

    /** What must hold at every moment of every test. */
    void checkNothingViolated() {
        assertThat(backend.violations()).isEmpty();
    }

    /** Files of jobs, in memory. */
    final class Files implements JobFiles {
        final Map<JobId, Long> stops = new HashMap<>();
        final List<JobId> removed = new ArrayList<>();
        final List<ProcessKey> modelsAsked = new ArrayList<>();
        final Set<JobId> withoutLogs = new HashSet<>();
        final Set<JobId> here = new HashSet<>();

        @Override
        public void writeStop(JobId job, long step) {
            stops.putIfAbsent(job, step);
            backend.stopFileWritten(job);
        }

        @Override
        public void clearStop(JobId job) {
            stops.remove(job);
        }

        @Override
        public boolean areHere(JobId job) {
            return here.contains(job);
        }

        @Override
        public Path model(ProcessKey key) {
            modelsAsked.add(key);
            return Path.of("/models", key.toString());
        }

        @Override
        public void removeLogs(JobId job) {
            withoutLogs.add(job);
        }

        @Override
        public void removeAll(JobId job) {
            removed.add(job);
        }
    }
}
