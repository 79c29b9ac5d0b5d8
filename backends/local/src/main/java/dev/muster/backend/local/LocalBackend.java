package dev.muster.backend.local;

import dev.muster.formats.files.Folders;
import dev.muster.model.BackendKind;
import dev.muster.model.Capacity;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobSpec;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Member;
import dev.muster.model.Placement;
import dev.muster.model.Problem;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessPlan;
import dev.muster.spi.Backend;
import dev.muster.spi.BackendException;
import dev.muster.spi.Evidence;
import dev.muster.spi.Launch;
import dev.muster.spi.Rendered;
import dev.muster.spi.Sighting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Runs processes of this machine. Each has a shim as its parent, in a session of its own, which outlives the service and keeps the exit
 * code; what became of an attempt is read from its files and from {@code /proc}, so a new service sees all that an old one started.
 */
public final class LocalBackend implements Backend {
    private final LocalConfig config;
    private final Proc proc = new Proc();
    private final CoreMeter meter = new CoreMeter(proc);
    private final HeadStart headStart = new HeadStart(System::nanoTime);
    private final Renderer renderer;
    private final Reservations reservations;
    private final Attempts attempts;
    private final Starter starter;
    private final EventFolder events;
    private final Watch watch;
    private final CgroupRemains remains;

    /**
     * Takes up whatever an earlier service started below the same folders.
     *
     * @throws UncheckedIOException when a folder cannot be made or read
     */
    public LocalBackend(LocalConfig config) {
        this.config = config;
        renderer = new Renderer(
                config.folders(),
                BaseVariables.of(config.environment()),
                config.environment().getOrDefault("PATH", Programs.SYSTEM_PATH),
                config.runAs());
        try {
            Own own = new Own(config.folders());
            Files.createDirectories(own.stage());
            reservations = new Reservations(
                    new SharedFolder(config.shared(), own.name()),
                    own.placements(),
                    new Reservations.Settings(config.firstPort(), config.lastPort(), config.gpus()),
                    proc);
            reservations.adopt();
            attempts = new Attempts(config.folders(), proc);
            remains = new CgroupRemains(config.cgroups(), own.name());
            remains.removeAllBut(attempts.jobs());
            events = new EventFolder(own.events());
            if (config.runAs().isOn()) {
                // Bound into the home that their processes see, for the shim: it tells names of everybody's jobs.
                Files.setPosixFilePermissions(own.events(), PosixFilePermissions.fromString("rwx------"));
            }
            boolean reap = config.subreaper() && !config.cgroups().holdsProcesses();
            Shims shims = new Shims(own.folder(), config.shell(), Programs.ofSystem(), reap);
            Workspace workspace = new Workspace(config.folders(), config.code());
            starter = new Starter(shims, workspace, new Starter.Places(config.cgroups(), events, own));
            watch = new Watch(events, attempts::live, proc);
        } catch (IOException unusable) {
            throw new UncheckedIOException(unusable);
        }
    }

    @Override
    public BackendKind kind() {
        return BackendKind.LOCAL;
    }

    @Override
    public String moreSharedMemory() {
        return "make room in /dev/shm of this machine (df -h /dev/shm)";
    }

    @Override
    public List<Problem> check(JobSpec spec) {
        return new LocalChecks(config.cgroups(), config.runAs()).check(spec);
    }

    /** Where users are mapped the service runs no Python of theirs, not even to ask it for its version. */
    @Override
    public boolean hasOwnPython() {
        return config.runAs().isOn();
    }

    @Override
    public Capacity capacity() {
        return config.capacity();
    }

    @Override
    public Placement place(JobId job, int attempt, JobSpec spec, LaunchPlan plan) throws BackendException {
        return reservations.place(job, attempt, wish(spec, plan));
    }

    @Override
    public Placement sample(JobSpec spec, LaunchPlan plan) {
        return reservations.sample(wish(spec, plan));
    }

    private static Reservations.Wish wish(JobSpec spec, LaunchPlan plan) {
        Set<Member> members = new TreeSet<>();
        Map<Member, Integer> gpus = new TreeMap<>();
        for (ProcessPlan process : plan.processes()) {
            Member member = process.name().member();
            members.add(member);
            gpus.put(member, spec.role(member.role()).resources().gpus());
        }
        return new Reservations.Wish(spec.options().localAddress(), members, plan.ports(), gpus);
    }

    @Override
    public Rendered render(Launch launch) {
        return renderer.render(launch);
    }

    @Override
    public void start(Launch launch) throws BackendException {
        LocalAttempt attempt = attempts.of(launch.key());
        if (attempt.folder().isClaimed()) {
            return;
        }
        JobId job = launch.key().job();
        Rendered rendered = renderer.render(launch);
        if (!takeReady(launch, rendered, attempt)) {
            sleep(headStart.left(job, launch.plan().join()));
            starter.start(
                            launch,
                            rendered,
                            attempt.folder(),
                            reservations.holdFile(job),
                            config.runAs().of(launch))
                    .ifPresent(shim -> shim.onExit().thenRun(() -> watch.tell(job)));
            headStart.started(job, launch.key().name().member(), launch.plan().join());
        }
        try {
            attempts.begin(attempt);
        } catch (IOException failed) {
            throw Failures.of("the folders of " + job + " cannot be read", Cause.INTERNAL, failed);
        }
    }

    private static void sleep(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Whether a process that is held ready has become the attempt. One that does not answer is waited for once: neither this attempt nor
     * another of the next minute asks again.
     */
    private boolean takeReady(Launch launch, Rendered rendered, LocalAttempt attempt) throws BackendException {
        if (!launch.spec().standbyServes(launch.key().name().role())) {
            return false;
        }
        JobId job = launch.key().job();
        HandOver handOver = new HandOver(starter);
        try {
            for (LocalAttempt ready : attempts.of(job)) {
                if (launch.spec().isStandby(ready.key().name().role()) && handOver.isReady(ready)) {
                    return handOver.start(launch, rendered, attempt.folder(), ready, reservations.holdFile(job));
                }
            }
        } catch (IOException failed) {
            throw Failures.of("the folders of " + job + " cannot be read", Cause.INTERNAL, failed);
        }
        return false;
    }

    /** Whether nothing is to be done to its processes: it was never started, or what was held ready is another attempt's by now. */
    private static boolean hasNone(LocalAttempt attempt) throws IOException {
        return !attempt.folder().isClaimed() || attempt.folder().taken().isPresent();
    }

    @Override
    public void stop(ProcessKey key, StopHow how) throws BackendException {
        LocalAttempt attempt = attempts.of(key);
        try {
            if (hasNone(attempt)) {
                return;
            }
            switch (how) {
                case ASK -> attempt.tree().ask();
                case KILL -> kill(attempt);
            }
        } catch (IOException failed) {
            throw Failures.of(key.name() + " could not be stopped", Cause.INTERNAL, failed);
        }
    }

    private static void kill(LocalAttempt attempt) throws IOException, BackendException {
        var left = attempt.tree().kill();
        if (left.isPresent()) {
            throw Failures.failed(
                    Cause.INTERNAL,
                    "process " + left.get().pid() + " of " + attempt.key().name()
                            + " does not end after SIGKILL; it waits inside the kernel, most likely for a disk or a device");
        }
    }

    @Override
    public List<Sighting> observe(JobId job) throws BackendException {
        List<Sighting> sightings = new ArrayList<>();
        try {
            boolean first = !attempts.knows(job);
            for (LocalAttempt attempt : attempts.of(job)) {
                attempt.observe().ifPresent(sightings::add);
            }
            if (first && !sightings.isEmpty()) {
                watch.attend();
            }
        } catch (IOException failed) {
            throw new BackendException(
                    BackendException.Kind.NO_CONTACT,
                    Cause.INTERNAL,
                    "the files of " + job + " cannot be read: " + Failures.reason(failed),
                    failed);
        }
        return sightings;
    }

    @Override
    public Evidence evidence(ProcessKey key) throws BackendException {
        LocalAttempt attempt = attempts.of(key);
        try {
            Stacks stacks = new Stacks(
                    proc,
                    config.folders().reports(key).getParent(),
                    new Programs(config.environment().getOrDefault("PATH", Programs.SYSTEM_PATH)));
            return new Inspection(proc, stacks, config.folders().evidence(key))
                    .of(attempt.tree().mainFirst());
        } catch (IOException failed) {
            throw Failures.of("it could not be seen why " + key.name() + " does not go on", Cause.INTERNAL, failed);
        }
    }

    @Override
    public Map<ProcessKey, Double> wantedCores(JobId job) throws BackendException {
        Map<ProcessKey, Double> cores = new HashMap<>();
        List<ProcessKey> live = new ArrayList<>();
        try {
            for (LocalAttempt attempt : attempts.of(job)) {
                if (attempt.isLive()) {
                    live.add(attempt.key());
                    meter.read(attempt.key(), attempt.tree().members())
                            .ifPresent(wanted -> cores.put(attempt.key(), wanted));
                }
            }
            meter.keep(job, live);
        } catch (IOException failed) {
            throw Failures.of("it could not be seen what processes of " + job + " do", Cause.INTERNAL, failed);
        }
        return cores;
    }

    @Override
    public void sweep(ProcessKey key) throws BackendException {
        LocalAttempt attempt = attempts.of(key);
        try {
            if (attempt.folder().taken().isPresent()) {
                return;
            }
            if (attempt.folder().isClaimed()) {
                kill(attempt);
            }
            attempt.tree().removeCgroups();
        } catch (IOException failed) {
            throw Failures.of("what " + key.name() + " left could not be ended", Cause.INTERNAL, failed);
        }
    }

    @Override
    public void release(JobId job) throws BackendException {
        try {
            reservations.release(job);
        } catch (IOException failed) {
            throw Failures.of("ports and GPUs of " + job + " could not be given back", Cause.INTERNAL, failed);
        }
    }

    @Override
    public void remove(JobId job) throws BackendException {
        try {
            for (LocalAttempt attempt : attempts.of(job)) {
                sweep(attempt.key());
                attempt.tree().endShim();
            }
            release(job);
            Folders.delete(attempts.folder(job));
            attempts.forget(job);
            meter.keep(job, List.of());
            headStart.forget(job);
            remains.remove(job);
        } catch (IOException failed) {
            throw Failures.of("the files of the processes of " + job + " could not be removed", Cause.INTERNAL, failed);
        }
    }

    @Override
    public Set<JobId> jobs() throws BackendException {
        try {
            Set<JobId> jobs = new HashSet<>(reservations.jobs());
            jobs.addAll(attempts.jobs());
            return jobs;
        } catch (IOException failed) {
            throw new BackendException(
                    BackendException.Kind.NO_CONTACT,
                    Cause.INTERNAL,
                    "the folders of jobs cannot be listed: " + Failures.reason(failed),
                    failed);
        }
    }

    @Override
    public void listen(Consumer<JobId> changed) {
        watch.add(changed);
    }

    @Override
    public void close() {
        try {
            watch.close();
        } catch (IOException closing) {
            throw new UncheckedIOException(closing);
        }
    }
}
