package dev.muster.backend.kubernetes;

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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Runs processes as pods. The name of a pod is the fence of its attempt; what became of an attempt is read from its pod, which a finalizer keeps
 * until the job is removed, so a new service sees all that an old one started.
 */
public final class KubernetesBackend implements Backend {
    private final KubernetesConfig config;
    private final Cluster cluster;
    private final Nodes nodes;
    private final Couriers couriers;
    private final KueueWaits kueue;
    private final HandOver handOver;
    private final Starts starts;
    private final Services services;
    private final Strays strays;
    private final Ends ends;
    private final Renderer renderer;
    private final Look look;

    /** Begins to watch; returns at once, whether the cluster can be reached or not. */
    public KubernetesBackend(KubernetesConfig config) {
        this.config = config;
        cluster = new Cluster(config);
        nodes = new Nodes(config, cluster);
        couriers = new Couriers(config, cluster);
        kueue = new KueueWaits(cluster, couriers.watch());
        renderer = new Renderer(config.folders());
        handOver = new HandOver(config, cluster, couriers, nodes);
        starts = new Starts(config, cluster, couriers, renderer, handOver);
        strays = new Strays(cluster, couriers.watch());
        services = new Services(config, cluster, couriers);
        ends = new Ends(
                cluster,
                couriers,
                nodes,
                key -> Optional.of(couriers.watch().of(key).map(PodSeen::name).orElseGet(() -> Names.pod(key))));
        look = new Look(cluster, config.freshName());
        nodes.start();
    }

    @Override
    public BackendKind kind() {
        return BackendKind.KUBERNETES;
    }

    @Override
    public List<Problem> check(JobSpec spec) {
        return new Checks(config, cluster.namespace(), kind()).of(spec);
    }

    @Override
    public Capacity capacity() {
        return nodes.capacity();
    }

    @Override
    public boolean hasOwnPython() {
        return true;
    }

    @Override
    public String moreSharedMemory() {
        return PodForm.MORE_SHARED_MEMORY;
    }

    @Override
    public Duration settleWindow() {
        return Nodes.STATE_KNOWN;
    }

    @Override
    public void prepare(JobId job, JobSpec spec, Origin origin, Consumer<String> progress) throws BackendException {
        starts.prepare(job, origin);
        cluster.requireCheckpointClaim(spec);
        cluster.requireKueue(spec);
    }

    @Override
    public Placement place(JobId job, int attempt, JobSpec spec, LaunchPlan plan) throws BackendException {
        starts.makeServices(job, spec, plan);
        return Places.of(Names.service(job), cluster.namespace(), spec, plan);
    }

    @Override
    public Placement sample(JobSpec spec, LaunchPlan plan) {
        return Places.of("job", cluster.namespace(), spec, plan);
    }

    @Override
    public Rendered render(Launch launch) {
        return renderer.render(launch);
    }

    @Override
    public void start(Launch launch) throws BackendException {
        couriers.take(launch.key().job());
        starts.start(launch);
    }

    @Override
    public void stop(ProcessKey key, StopHow how) throws BackendException {
        if (!starts.takeBack(key) && !ends.stop(key, how)) {
            Optional<ProcessKey> held = handOver.begun(key);
            if (held.isPresent()) {
                // It may have become that attempt without being known as it yet.
                ends.stop(held.get(), StopHow.KILL);
            }
        }
    }

    @Override
    public List<Sighting> observe(JobId job) throws BackendException {
        couriers.take(job);
        couriers.watch().requireContact();
        strays.adopt(job);
        Set<String> lost = nodes.lost();
        List<PodSeen> seen = couriers.watch().of(job);
        List<Sighting> pods = seen.stream()
                .map(pod -> new Sighting(
                        pod.key(),
                        kueue.of(pod, couriers.seen(pod, lost, config.clock().now()))))
                .toList();
        Stream<Sighting> before = seen.stream()
                .flatMap(pod -> pod.was().stream().map(held -> new Sighting(held.key(), Observation.of(held, pod))));
        return Stream.of(services.with(job, pods).stream(), before, starts.waiting(job))
                .flatMap(each -> each)
                .toList();
    }

    @Override
    public Evidence evidence(ProcessKey key) throws BackendException {
        return look.of(couriers.watch().of(key), key, config.folders().evidence(key));
    }

    @Override
    public void sweep(ProcessKey key) throws BackendException {
        ends.sweep(key);
    }

    @Override
    public void collect(JobId job) throws BackendException {
        couriers.take(job);
        ends.collect(job);
    }

    @Override
    public void release(JobId job) throws BackendException {
        // Names and ports are a job's own and cost nothing; they go with its objects.
        couriers.watch().requireContact();
    }

    @Override
    public void remove(JobId job) throws BackendException {
        starts.forget(job);
        ends.remove(job);
        couriers.forget(job);
    }

    @Override
    public Set<JobId> jobs() throws BackendException {
        Set<JobId> jobs = new TreeSet<>();
        cluster.pods(Map.of()).forEach(pod -> jobs.add(pod.job()));
        cluster.serviceJobs().stream().filter(job -> !job.isEmpty()).forEach(job -> jobs.add(new JobId(job)));
        return jobs;
    }

    @Override
    public void listen(Consumer<JobId> changed) {
        couriers.listen(changed);
    }

    @Override
    public void close() {
        services.close();
        kueue.close();
        couriers.close();
        starts.close();
        nodes.close();
        cluster.close();
    }
}
