package dev.muster.testkit;

import dev.muster.model.BackendKind;
import dev.muster.model.Capacity;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobSpec;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Member;
import dev.muster.model.Origin;
import dev.muster.model.Placement;
import dev.muster.model.Problem;
import dev.muster.model.ProcessKey;
import dev.muster.spi.Backend;
import dev.muster.spi.BackendException;
import dev.muster.spi.Clock;
import dev.muster.spi.Evidence;
import dev.muster.spi.Launch;
import dev.muster.spi.Rendered;
import dev.muster.spi.Sighting;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A backend in virtual time. Its processes behave as a script says; they outlive the service, as on a real one. Faults come from hooks
 * around each call. What the control plane must never do is written down in {@link #violations}. Any thread may call.
 */
public final class FakeBackend implements Backend {
    /** After so long a service can have seen what was started late. */
    private static final Duration SURPRISE = Duration.ofSeconds(15);

    private final Clock clock;
    private final Map<JobId, Job> jobs = new TreeMap<>();
    /** Every attempt ever started, also of jobs that were removed. */
    private final Map<ProcessKey, RunningFake> started = new HashMap<>();

    /** When those were started that were not started when it was asked for. */
    private final Map<ProcessKey, Instant> late = new HashMap<>();

    private final List<Launch> launches = new CopyOnWriteArrayList<>();
    private final List<String> violations = new CopyOnWriteArrayList<>();
    private final List<Consumer<JobId>> listeners = new CopyOnWriteArrayList<>();
    private final Set<JobId> busy = ConcurrentHashMap.newKeySet();
    private Function<ProcessKey, FakeProcess> script = key -> FakeProcess.runs();
    private Capacity capacity = new Capacity(64, 64_000, 1L << 40, 8);
    private Function<JobSpec, List<Problem>> refusals = spec -> List.of();
    private Hook before = call -> {};
    private Hook after = call -> {};
    private final Set<JobId> touched = new TreeSet<>();
    private Duration settleWindow = Duration.ofSeconds(5);
    private Function<ProcessKey, Evidence> evidence = key -> Evidence.NONE;
    private Optional<Function<ProcessKey, Double>> cores = Optional.empty();
    private boolean ownPython;
    private boolean startsSingly = true;
    private Instant lastTick = Instant.MIN;
    private int lastPort = 20_000;
    private int lastPid = 100;

    /** What is asked of a backend. */
    public enum Op {
        PLACE,
        START,
        ASK,
        KILL,
        OBSERVE,
        SWEEP,
        RELEASE,
        REMOVE,
        JOBS,
        PREPARE,
        COLLECT,
        EVIDENCE
    }

    /** One call; the process is empty for calls on a whole job, the job too for {@link Op#JOBS}. */
    public record Call(Op op, Optional<JobId> job, Optional<ProcessKey> process) {}

    /** Is asked around each call; what it throws comes out of the call. */
    public interface Hook {
        void on(Call call) throws BackendException;
    }

    private static final class Job {
        private int placedFor;
        private Placement placement = Placement.NONE;
        private final Map<ProcessKey, RunningFake> processes = new LinkedHashMap<>();
    }

    public FakeBackend(Clock clock) {
        this.clock = clock;
    }

    /** How each attempt started from now on behaves. */
    public void script(Function<ProcessKey, FakeProcess> behaviour) {
        script = behaviour;
    }

    public void capacity(Capacity whole) {
        capacity = whole;
    }

    public void refusals(Function<JobSpec, List<Problem>> problems) {
        refusals = problems;
    }

    /** What is seen of an attempt that does not go on. */
    public void evidence(Function<ProcessKey, Evidence> seen) {
        evidence = seen;
    }

    /** Cores that each living attempt wants. */
    public void wantedCores(Function<ProcessKey, Double> wanted) {
        cores = Optional.of(wanted);
    }

    /** Is asked before each call is carried out: nothing happens when it throws. */
    public void before(Hook hook) {
        before = hook;
    }

    /** Is asked after each call was carried out: its answer is lost when it throws. */
    public void after(Hook hook) {
        after = hook;
    }

    /** What the control plane did that no backend should have to bear. */
    public List<String> violations() {
        return violations;
    }

    /** Every start that was a first one, in order. */
    public List<Launch> launches() {
        return launches;
    }

    /** Ends a process from outside. */
    public synchronized void kill(ProcessKey key, int code) {
        process(key).end(clock.now(), code, false);
        touched.add(key.job());
    }

    /** Something is wrong around a process that runs, or nothing is any more. */
    public synchronized void trouble(ProcessKey key, Optional<String> wrong) {
        process(key).trouble(wrong);
        touched.add(key.job());
    }

    /** Makes a process vanish without a code. */
    public void vanish(ProcessKey key) {
        vanish(key, Cause.LOST);
    }

    /** The same where the platform knows why. */
    public synchronized void vanish(ProcessKey key, Cause cause) {
        process(key).vanish(clock.now(), cause);
        touched.add(key.job());
    }

    /** The platform ends a process, and says why. */
    public synchronized void end(ProcessKey key, int code, Cause cause) {
        process(key).end(clock.now(), code, cause);
        touched.add(key.job());
    }

    /** How long it may take until this backend knows what became of every process; of jobs that are taken up from now on. */
    public void settleWindow(Duration window) {
        settleWindow = window;
    }

    /** One order starts all processes of a group; of jobs that are taken up from now on. */
    public void startsTogether() {
        startsSingly = false;
    }

    /** Its processes bring their Python with them. */
    public void ownPython() {
        ownPython = true;
    }

    /** Loses an attempt, as when somebody removes its container by force. */
    public synchronized void forget(ProcessKey key) {
        jobs.get(key.job()).processes.remove(key);
        touched.add(key.job());
    }

    /** An attempt that was lost is known again, and may still run. */
    public synchronized void recall(ProcessKey key) {
        jobs.computeIfAbsent(key.job(), made -> new Job()).processes.put(key, started.get(key));
        touched.add(key.job());
    }

    /** The stop file of the job is there. */
    public synchronized void stopFileWritten(JobId job) {
        processes(job).forEach(process -> process.stopFile(clock.now()));
        touched.add(job);
    }

    /** Attempts of the job whose program runs or is about to. */
    public synchronized List<ProcessKey> alive(JobId job) {
        Instant now = clock.now();
        return processes(job).stream()
                .filter(process -> !process.isOver(now))
                .map(RunningFake::key)
                .toList();
    }

    /** The exit code an attempt really ended with; empty when it runs, vanished or was never started. */
    public synchronized Optional<Integer> exitCode(ProcessKey key) {
        return Optional.ofNullable(started.get(key)).flatMap(process -> process.exitCode(clock.now()));
    }

    /** Whether the job holds addresses or ports. */
    public synchronized boolean holds(JobId job) {
        return jobs.containsKey(job) && jobs.get(job).placedFor != 0;
    }

    /** Loses the ports of the job: the attempt that holds them cannot be placed again. */
    public synchronized void losePlacement(JobId job) {
        jobs.get(job).placement = Placement.NONE;
        jobs.get(job).placedFor = 0;
    }

    private List<RunningFake> processes(JobId job) {
        return jobs.containsKey(job) ? List.copyOf(jobs.get(job).processes.values()) : List.of();
    }

    private RunningFake process(ProcessKey key) {
        return Optional.ofNullable(jobs.get(key.job()))
                .map(job -> job.processes.get(key))
                .orElseThrow(() -> new IllegalArgumentException(key + " was never started"));
    }

    /** When the next process is seen to change; empty when none will by itself. */
    public synchronized Optional<Instant> nextChange() {
        Instant now = clock.now();
        return jobs.values().stream()
                .flatMap(job -> job.processes.values().stream())
                .flatMap(process -> process.changes().stream())
                .filter(change -> change.isAfter(now))
                .min(Instant::compareTo);
    }

    /** Tells the listeners about jobs of which something has changed since the last call. */
    public void tick() {
        changedSinceLastTick().forEach(id -> listeners.forEach(listener -> listener.accept(id)));
    }

    private synchronized List<JobId> changedSinceLastTick() {
        Instant now = clock.now();
        List<JobId> changed = new ArrayList<>();
        jobs.forEach((id, job) -> {
            boolean change = touched.remove(id)
                    || job.processes.values().stream()
                            .flatMap(process -> process.changes().stream())
                            .anyMatch(at -> at.isAfter(lastTick) && !at.isAfter(now));
            if (change) {
                changed.add(id);
            }
        });
        lastTick = now;
        return changed;
    }

    /** The service is gone: nobody listens any more. What was started goes on. */
    public void serviceDied() {
        listeners.clear();
        busy.clear();
    }

    @Override
    public BackendKind kind() {
        return BackendKind.LOCAL;
    }

    @Override
    public List<Problem> check(JobSpec spec) {
        return refusals.apply(spec);
    }

    @Override
    public Capacity capacity() {
        return capacity;
    }

    private interface Body<T> {
        T run(Job job) throws BackendException;
    }

    private <T> T call(Op op, JobId id, Optional<ProcessKey> key, Body<T> body) throws BackendException {
        Call call = new Call(op, Optional.of(id), key);
        if (!busy.add(id)) {
            violations.add(call + " overlaps another call for the job");
        }
        try {
            before.on(call);
            T answer = carryOut(id, body);
            after.on(call);
            return answer;
        } finally {
            busy.remove(id);
        }
    }

    private synchronized <T> T carryOut(JobId id, Body<T> body) throws BackendException {
        Job job = jobs.computeIfAbsent(id, made -> new Job());
        try {
            return body.run(job);
        } finally {
            if (job.placedFor == 0 && job.processes.isEmpty()) {
                jobs.remove(id);
            }
        }
    }

    @Override
    public boolean hasOwnPython() {
        return ownPython;
    }

    @Override
    public boolean startsSingly() {
        return startsSingly;
    }

    @Override
    public String moreSharedMemory() {
        return "the fake has as much as is asked for";
    }

    @Override
    public Duration settleWindow() {
        return settleWindow;
    }

    @Override
    public void prepare(JobId id, JobSpec spec, Origin origin, Consumer<String> progress) throws BackendException {
        Call call = new Call(Op.PREPARE, Optional.of(id), Optional.empty());
        progress.accept("pulling the image");
        before.on(call);
        after.on(call);
    }

    @Override
    public Evidence evidence(ProcessKey key) throws BackendException {
        Call call = new Call(Op.EVIDENCE, Optional.of(key.job()), Optional.of(key));
        before.on(call);
        Evidence seen = evidence.apply(key);
        after.on(call);
        return seen;
    }

    @Override
    public Map<ProcessKey, Double> wantedCores(JobId id) {
        Map<ProcessKey, Double> wanted = new HashMap<>();
        cores.ifPresent(of -> alive(id).forEach(key -> wanted.put(key, of.apply(key))));
        return wanted;
    }

    @Override
    public void collect(JobId id) throws BackendException {
        Call call = new Call(Op.COLLECT, Optional.of(id), Optional.empty());
        before.on(call);
        after.on(call);
    }

    @Override
    public Placement place(JobId id, int attempt, JobSpec spec, LaunchPlan plan) throws BackendException {
        return call(Op.PLACE, id, Optional.empty(), job -> {
            if (job.placedFor != attempt) {
                job.placement = Placement.NONE;
                job.placedFor = attempt;
            }
            Placement fresh = sample(spec, plan);
            for (Member member : fresh.hosts().keySet()) {
                if (job.placement.hosts().containsKey(member)) {
                    fresh = fresh.without(member);
                }
            }
            for (Member member : job.placement.hosts().keySet()) {
                if (!plan.ports().containsKey(member)) {
                    job.placement = job.placement.without(member);
                }
            }
            job.placement = job.placement.and(fresh);
            return job.placement;
        });
    }

    @Override
    public Placement sample(JobSpec spec, LaunchPlan plan) {
        Map<Member, String> hosts = new HashMap<>();
        Map<Member, Map<String, Integer>> ports = new HashMap<>();
        plan.ports().forEach((member, names) -> {
            hosts.put(member, "127.0.0.1");
            Map<String, Integer> numbers = new HashMap<>();
            names.forEach(name -> numbers.put(name, ++lastPort));
            ports.put(member, numbers);
        });
        return new Placement(hosts, ports, Map.of());
    }

    @Override
    public Rendered render(Launch launch) {
        return new Rendered(List.of("true"), Map.of(), Map.of());
    }

    @Override
    public void start(Launch launch) throws BackendException {
        call(Op.START, launch.key().job(), Optional.of(launch.key()), job -> {
            if (!job.processes.containsKey(launch.key())) {
                check(job, launch);
                begin(job, launch, script.apply(launch.key()));
            }
            return null;
        });
    }

    /**
     * Carries out a start that was asked for some time ago, by a service that may be dead by now: a platform knows nothing of what was decided
     * since. It does nothing where the attempt was started already.
     */
    public synchronized void startLate(Launch launch, FakeProcess behaviour) {
        if (!started.containsKey(launch.key())) {
            late.put(launch.key(), clock.now());
            begin(jobs.computeIfAbsent(launch.key().job(), made -> new Job()), launch, behaviour);
            touched.add(launch.key().job());
        }
    }

    /** Those that were started by {@link #startLate}. */
    public synchronized Set<ProcessKey> late() {
        return Set.copyOf(late.keySet());
    }

    /** Whether nobody need know of it: it was started late, and just now. */
    private boolean isSurprise(ProcessKey key) {
        return late.containsKey(key) && clock.now().isBefore(late.get(key).plus(SURPRISE));
    }

    private List<ProcessKey> knownAlive(JobId id) {
        return alive(id).stream().filter(key -> !isSurprise(key)).toList();
    }

    /** One that is held ready becomes a process that is started. */
    private void takeReady(Job job, Launch launch) {
        Instant now = clock.now();
        if (launch.spec().standby() > 0 && !launch.role().sidecar()) {
            job.processes.values().stream()
                    .filter(process ->
                            launch.spec().isStandby(process.key().name().role()))
                    .filter(process -> process.seen(now) instanceof Sighting.Seen.Running)
                    .findFirst()
                    .ifPresent(process -> process.end(now, 0, false));
        }
    }

    private void begin(Job job, Launch launch, FakeProcess behaviour) {
        launches.add(launch);
        takeReady(job, launch);
        RunningFake process = new RunningFake(launch.key(), behaviour, clock.now(), ++lastPid);
        job.processes.put(launch.key(), process);
        started.put(launch.key(), process);
    }

    private void check(Job job, Launch launch) {
        Instant now = clock.now();
        if (job.placedFor == 0 || !job.placement.equals(launch.placement())) {
            violations.add(launch.key() + " is started where it has no place");
        }
        for (RunningFake other : job.processes.values()) {
            if (other.key().name().equals(launch.key().name())
                    && !isSurprise(other.key())
                    && (!other.isOver(now)
                            || other.key().attempt() >= launch.key().attempt())) {
                violations.add(launch.key() + " is started though there is " + other.key());
            }
        }
    }

    @Override
    public void stop(ProcessKey key, StopHow how) throws BackendException {
        call(how == StopHow.ASK ? Op.ASK : Op.KILL, key.job(), Optional.of(key), job -> {
            RunningFake process = job.processes.get(key);
            if (process != null && how == StopHow.ASK) {
                process.ask(clock.now());
            } else if (process != null) {
                process.end(clock.now(), 137, false);
            }
            return null;
        });
    }

    @Override
    public List<Sighting> observe(JobId id) throws BackendException {
        return call(
                Op.OBSERVE,
                id,
                Optional.empty(),
                job -> job.processes.values().stream()
                        .map(process -> new Sighting(process.key(), process.seen(clock.now())))
                        .toList());
    }

    @Override
    public void sweep(ProcessKey key) throws BackendException {
        call(Op.SWEEP, key.job(), Optional.of(key), job -> {
            RunningFake process = job.processes.get(key);
            if (process != null) {
                process.end(clock.now(), 137, false);
            }
            return null;
        });
    }

    @Override
    public void release(JobId id) throws BackendException {
        call(Op.RELEASE, id, Optional.empty(), job -> {
            if (!knownAlive(id).isEmpty()) {
                violations.add("release of " + id + " while these are alive: " + knownAlive(id));
            }
            job.placement = Placement.NONE;
            job.placedFor = 0;
            return null;
        });
    }

    @Override
    public void remove(JobId id) throws BackendException {
        call(Op.REMOVE, id, Optional.empty(), job -> {
            if (!knownAlive(id).isEmpty()) {
                violations.add("removal of " + id + " while these are alive: " + knownAlive(id));
            }
            job.processes.clear();
            job.placedFor = 0;
            return null;
        });
    }

    @Override
    public Set<JobId> jobs() throws BackendException {
        before.on(new Call(Op.JOBS, Optional.empty(), Optional.empty()));
        synchronized (this) {
            return new TreeSet<>(jobs.keySet());
        }
    }

    @Override
    public void listen(Consumer<JobId> changed) {
        listeners.add(changed);
    }

    @Override
    public void close() {}
}
