package dev.muster.backend.kubernetes;

import dev.muster.model.Cause;
import dev.muster.model.EnvironmentSpec;
import dev.muster.model.JobId;
import dev.muster.model.JobSpec;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Member;
import dev.muster.model.Origin;
import dev.muster.model.ProcessKey;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import dev.muster.spi.Launch;
import dev.muster.spi.Rendered;
import dev.muster.spi.Sighting;
import dev.muster.spi.Sighting.Hold;
import dev.muster.spi.Sighting.Seen;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Makes the objects of attempts. One that a quota of the namespace does not let through yet is tried again until it is. */
final class Starts implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Starts.class.getName());
    private static final long AGAIN_SECONDS = 2;

    private final Cluster cluster;
    private final Couriers couriers;
    private final Renderer renderer;
    private final PodForm pods;
    private final Objects objects;
    private final KubernetesConfig config;
    private final HandOver handOver;
    private final Map<JobId, Map<String, String>> requirements = new ConcurrentHashMap<>();
    private final Map<ProcessKey, Waiting> waiting = new ConcurrentHashMap<>();
    private final ScheduledExecutorService lookout = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("starts").factory());

    /** An attempt without a pod yet, or one that was asked to end before it had one. */
    private record Waiting(Launch launch, Seen seen) {}

    Starts(KubernetesConfig config, Cluster cluster, Couriers couriers, Renderer renderer, HandOver handOver) {
        this.handOver = handOver;
        this.config = config;
        this.cluster = cluster;
        this.couriers = couriers;
        this.renderer = renderer;
        pods = new PodForm(config);
        objects = new Objects(config);
        lookout.scheduleWithFixedDelay(this::again, AGAIN_SECONDS, AGAIN_SECONDS, TimeUnit.SECONDS);
    }

    /** Remembers the requirements files of a job, which its pods see to before their programs start. */
    void prepare(JobId job, Origin origin) {
        requirements.put(job, origin.requirements());
    }

    private Optional<String> requirements(Launch launch) {
        return launch.role()
                .environment()
                .python()
                .flatMap(EnvironmentSpec.Python::requirements)
                .map(name ->
                        requirements.getOrDefault(launch.key().job(), Map.of()).get(name));
    }

    void makeServices(JobId job, JobSpec spec, LaunchPlan plan) throws BackendException {
        makeService(Names.service(job), objects.service(job));
        Set<Member> led = new TreeSet<>();
        plan.processes().stream()
                .map(process -> process.name().member())
                .filter(member -> Places.isLed(spec, member))
                .forEach(led::add);
        for (Member member : led) {
            makeService(Names.service(job, member), objects.service(job, member));
        }
    }

    private void makeService(String name, Map<String, Object> form) throws BackendException {
        try {
            cluster.createService(form);
        } catch (KubernetesClientException answer) {
            throw Failures.of("the service " + name + " could not be made", answer);
        }
    }

    void start(Launch launch) throws BackendException {
        if (couriers.watch().named(Names.pod(launch.key())).isPresent()
                || couriers.watch().of(launch.key()).isPresent()
                || waiting.containsKey(launch.key())) {
            return;
        }
        Deliverable.check(launch, config.code());
        Rendered rendered = renderer.render(launch);
        Given.check(launch.key(), rendered);
        checkSize(launch, rendered);
        couriers.rush().begins();
        try {
            make(launch, rendered);
        } finally {
            couriers.rush().ends();
        }
    }

    private void make(Launch launch, Rendered rendered) throws BackendException {
        String name = Names.pod(launch.key());
        try {
            if (handOver.start(launch, rendered)) {
                waiting.remove(launch.key());
                return;
            }
            handOver.lead(launch, name);
            cluster.createSecret(objects.secret(launch, rendered, requirements(launch)));
            cluster.createPod(pods.of(launch)).ifPresent(couriers.watch()::known);
            waiting.remove(launch.key());
        } catch (KubernetesClientException answer) {
            if (Failures.isQuota(answer)) {
                Hold hold = new Hold(Cause.UNSCHEDULABLE, Failures.said(answer));
                waiting.put(launch.key(), new Waiting(launch, new Seen.Starting(Optional.of(hold))));
                return;
            }
            throw Failures.of("pod " + name + " could not be made", answer);
        }
        couriers.watch().named(name).ifPresent(couriers::attend);
    }

    private static void checkSize(Launch launch, Rendered rendered) throws BackendException {
        int bytes = LaunchText.of(rendered).getBytes(StandardCharsets.UTF_8).length;
        if (bytes > Objects.LARGEST_LAUNCH) {
            throw Failures.refused(
                    Cause.LAUNCH_FAILED,
                    "command and variables of " + launch.key().name() + " are " + bytes
                            + " bytes, more than the " + Objects.LARGEST_LAUNCH
                            + " a cluster keeps of a launch (move them to a file of the code)");
        }
    }

    private void again() {
        waiting.keySet().forEach(this::again);
    }

    /** Not while it is taken back or forgotten: nothing would know of a pod that is made after that. */
    private synchronized void again(ProcessKey key) {
        Waiting each = waiting.get(key);
        if (each == null || !(each.seen() instanceof Seen.Starting)) {
            return;
        }
        try {
            make(each.launch(), renderer.render(each.launch()));
        } catch (BackendException problem) {
            if (problem.kind() != Kind.NO_CONTACT) {
                // It is no matter of waiting any more: who asks for the start again is told why.
                waiting.remove(key);
                couriers.tell(key.job());
            }
        } catch (RuntimeException unforeseen) {
            LOG.log(Level.WARNING, "the start of " + key + " is tried again", unforeseen);
        }
    }

    /** Ends an attempt that has no pod yet; false when it is none. */
    synchronized boolean takeBack(ProcessKey key) {
        return waiting.computeIfPresent(key, (same, each) -> new Waiting(each.launch(), killed())) != null;
    }

    private Seen killed() {
        return new Seen.Ended(137, false, Optional.empty(), config.clock().now(), Optional.empty());
    }

    Stream<Sighting> waiting(JobId job) {
        return waiting.entrySet().stream()
                .filter(each -> each.getKey().job().equals(job))
                .map(each -> new Sighting(each.getKey(), each.getValue().seen()));
    }

    synchronized void forget(JobId job) {
        requirements.remove(job);
        waiting.keySet().removeIf(key -> key.job().equals(job));
    }

    @Override
    public void close() {
        lookout.shutdownNow();
    }
}
