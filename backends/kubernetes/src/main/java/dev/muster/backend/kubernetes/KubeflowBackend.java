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
import dev.muster.spi.Sighting.Seen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Runs jobs by Kubeflow's training operator: a TFJob, PyTorchJob or MPIJob for each attempt of a group, whose pods the operator makes and Muster delivers to,
 * follows and empties as it does with pods of its own. The operator restarts nothing and removes nothing; a new attempt is a new object.
 */
public final class KubeflowBackend implements Backend {
    private final KubernetesConfig config;
    private final Cluster cluster;
    private final TrainingCluster training;
    private final Nodes nodes;
    private final Couriers couriers;
    private final TrainingWatch watch;
    private final TrainingTroubles troubles;
    private final TrainingStarts starts;
    private final TrainingEnds trainingEnds;
    private final Ends ends;
    private final Renderer renderer;
    private final Look look;

    /** Begins to watch; returns at once, whether the cluster can be reached or not. */
    public KubeflowBackend(KubernetesConfig config) {
        this.config = config;
        cluster = new Cluster(config);
        training = new TrainingCluster(cluster);
        nodes = new Nodes(config, cluster);
        couriers = new Couriers(config, cluster);
        watch = new TrainingWatch(training, couriers::tell);
        troubles = new TrainingTroubles(config, training, watch, couriers.watch());
        renderer = new Renderer(config.folders());
        starts = new TrainingStarts(config, training, watch);
        trainingEnds = new TrainingEnds(this::object);
        ends = new Ends(cluster, couriers, nodes, this::podName);
        look = new Look(cluster, config.freshName());
        nodes.start();
    }

    /** As it is now, or as it was last where the API server has it no more. */
    private Optional<TrainingSeen> object(String name) throws BackendException {
        Optional<TrainingSeen> now = training.read(name);
        return now.isPresent() ? now : watch.named(name).map(TrainingSeen::gone);
    }

    private Optional<String> podName(ProcessKey key) {
        return couriers.watch().of(key).map(PodSeen::name);
    }

    @Override
    public BackendKind kind() {
        return BackendKind.KUBEFLOW;
    }

    @Override
    public List<Problem> check(JobSpec spec) {
        List<Problem> problems = new ArrayList<>(new Checks(config, cluster.namespace(), kind()).of(spec));
        problems.addAll(TrainingChecks.of(spec));
        return problems;
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
    public boolean startsSingly() {
        return false;
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
        training.require(trainingKind(spec));
        cluster.requireCheckpointClaim(spec);
    }

    private static TrainingKind trainingKind(JobSpec spec) {
        return TrainingKind.of(spec.framework()).orElseThrow();
    }

    @Override
    public Placement place(JobId job, int attempt, JobSpec spec, LaunchPlan plan) {
        return place(TrainingPlaces.object(job, attempt), spec, plan);
    }

    @Override
    public Placement sample(JobSpec spec, LaunchPlan plan) {
        return place(TrainingPlaces.object(new JobId("job"), 1), spec, plan);
    }

    private Placement place(String object, JobSpec spec, LaunchPlan plan) {
        return TrainingPlaces.of(trainingKind(spec), object, cluster.namespace(), spec, plan);
    }

    /** What Muster adds to what the operator gives the process itself. */
    @Override
    public Rendered render(Launch launch) {
        Rendered whole = renderer.render(launch);
        Map<String, String> env = new HashMap<>(whole.env());
        env.keySet().removeAll(trainingKind(launch.spec()).leftToTheOperator());
        return new Rendered(whole.argv(), env, whole.files());
    }

    @Override
    public void start(Launch launch) throws BackendException {
        couriers.take(launch.key().job());
        if (couriers.watch().of(launch.key()).isEmpty()
                && watch.of(launch.key()).isEmpty()) {
            starts.start(launch, render(launch));
        }
    }

    @Override
    public void stop(ProcessKey key, StopHow how) throws BackendException {
        if (podName(key).isPresent()) {
            ends.stop(key, how);
            return;
        }
        // Its pod must not come any more; those that are there stay.
        Optional<TrainingSeen> object = watch.of(key);
        if (object.isPresent()) {
            training.delete(object.get().kind(), object.get().name(), true);
        }
        if (object.isPresent() || starts.knows(key)) {
            starts.takeBack(key);
        }
    }

    @Override
    public List<Sighting> observe(JobId job) throws BackendException {
        couriers.take(job);
        couriers.watch().requireContact();
        Set<String> lost = nodes.lost();
        Map<ProcessKey, Sighting> seen = new HashMap<>();
        for (TrainingSeen object : watch.of(job)) {
            for (ProcessKey key : object.members()) {
                Seen without = TrainingObservation.withoutPod(
                        object, troubles.of(object.name()), config.clock().now());
                seen.put(key, new Sighting(key, without));
            }
        }
        for (PodSeen pod : pods(job, seen.values())) {
            seen.put(pod.key(), new Sighting(pod.key(), seen(pod, lost)));
        }
        starts.waiting(job).forEach(key -> seen.putIfAbsent(key, new Sighting(key, new Seen.Starting())));
        // Also where a pod came late: an end that was told stays told.
        starts.takenBack(job).forEach(key -> seen.put(key, new Sighting(key, killed())));
        return List.copyOf(seen.values());
    }

    /** Its pods; read anew where one of them seems to be missing for good, as objects and pods are watched apart. */
    private Collection<PodSeen> pods(JobId job, Collection<Sighting> withoutPods) throws BackendException {
        Map<ProcessKey, PodSeen> known = new HashMap<>();
        couriers.watch().of(job).forEach(pod -> known.put(pod.key(), pod));
        if (withoutPods.stream()
                .anyMatch(each -> each.state() instanceof Seen.Vanished && !known.containsKey(each.key()))) {
            cluster.pods(Map.of(Labels.JOB, job.value())).forEach(pod -> known.putIfAbsent(pod.key(), pod));
        }
        return known.values();
    }

    private Seen killed() {
        return new Seen.Ended(137, false, Optional.empty(), config.clock().now(), Optional.empty());
    }

    private Seen seen(PodSeen pod, Set<String> lost) throws BackendException {
        return trainingEnds.of(pod, couriers.seen(pod, lost, config.clock().now()));
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
        couriers.watch().requireContact();
    }

    @Override
    public void remove(JobId job) throws BackendException {
        starts.forget(job);
        trainingEnds.forget(job);
        Set<String> names = new TreeSet<>();
        for (TrainingSeen object : training.list()) {
            if (object.job().equals(job)) {
                names.add(object.name());
                training.delete(object.kind(), object.name(), false);
            }
        }
        watch.of(job).forEach(object -> watch.forget(object.name()));
        for (PodSeen pod : cluster.pods(Map.of(Labels.JOB, job.value()))) {
            names.add(TrainingPlaces.objectOfPod(pod.name()));
        }
        ends.remove(job);
        training.deleteServices(job, names);
        couriers.forget(job);
    }

    @Override
    public Set<JobId> jobs() throws BackendException {
        Set<JobId> jobs = new HashSet<>();
        cluster.pods(Map.of()).forEach(pod -> jobs.add(pod.job()));
        training.list().forEach(object -> jobs.add(object.job()));
        return jobs;
    }

    @Override
    public void listen(Consumer<JobId> changed) {
        couriers.listen(changed);
    }

    @Override
    public void close() {
        troubles.close();
        watch.close();
        couriers.close();
        nodes.close();
        cluster.close();
    }
}
