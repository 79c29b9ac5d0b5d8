package dev.muster.backend.kubernetes;

import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import dev.muster.spi.Launch;
import dev.muster.spi.Rendered;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Starts an attempt in a pod whose process is held ready: {@link ReadyProcess} tells it. Each step can be done again, so a start that broke off is gone on with by the next one, whichever service asks for it:
 *
 * <ol>
 *   <li>The attempt's fence, an object that can be made once, says which pod it is to be: this one, or one of its own.
 *   <li>The member's Service leads to the pod, and the pod finds what the job's control and checkpoint folders hold.
 *   <li>The order. Inside the pod a file that can be made once says whether the process has become the attempt or never will; where it never will,
 *       the attempt gets a pod of its own.
 *   <li>The pod's annotations say that it is the attempt, and what it was before. From then on it is seen, followed and ended as the attempt.
 * </ol>
 */
final class HandOver {
    private static final Logger LOG = System.getLogger(HandOver.class.getName());

    /** One that did not answer keeps nobody else waiting for so long. */
    private static final Duration SILENCE = Duration.ofMinutes(1);

    /** After so long without knowing what a pod did, while the API server answers, it is ended. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final KubernetesConfig config;
    private final Cluster cluster;
    private final Couriers couriers;
    private final Nodes nodes;
    private final Objects objects;
    private final ReadyProcess process;
    private final Set<String> offered = ConcurrentHashMap.newKeySet();
    private final Map<String, Instant> silentSince = new ConcurrentHashMap<>();
    private final Map<ProcessKey, Instant> troubledSince = new ConcurrentHashMap<>();

    HandOver(KubernetesConfig config, Cluster cluster, Couriers couriers, Nodes nodes) {
        this.config = config;
        this.cluster = cluster;
        this.couriers = couriers;
        this.nodes = nodes;
        objects = new Objects(config);
        process = new ReadyProcess(config, cluster);
    }

    /**
     * Whether the attempt is that of a pod that was there; false where it is to be a pod of its own.
     *
     * @throws KubernetesClientException where a quota of the namespace is used up
     */
    boolean start(Launch launch, Rendered rendered) throws BackendException {
        ProcessKey key = launch.key();
        if (!launch.spec().standbyServes(key.name().role())) {
            return false;
        }
        Optional<PodSeen> ready = suits(launch, rendered) ? ready(key.job()) : Optional.empty();
        try {
            String pod = reached(key, () -> fence(key, ready.map(PodSeen::name).orElseGet(() -> Names.pod(key))));
            return !pod.equals(Names.pod(key)) && becomes(pod, launch, rendered);
        } finally {
            ready.ifPresent(pod -> offered.remove(pod.name()));
        }
    }

    private interface Question<T> {
        T ask() throws BackendException;
    }

    /** While the API server itself does not answer, nothing is wrong with the pod. */
    private <T> T reached(ProcessKey key, Question<T> question) throws BackendException {
        try {
            return question.ask();
        } catch (BackendException away) {
            troubledSince.remove(key);
            throw away;
        }
    }

    /** A checkpoint of another job was brought when the pod was made, and may not be the one that is asked for now. */
    private boolean suits(Launch launch, Rendered rendered) {
        Path checkpoints = config.folders().checkpoints(launch.key().job());
        return ReadyProcess.fits(launch, rendered)
                && launch.resumeFrom().stream().allMatch(from -> Path.of(from).startsWith(checkpoints));
    }

    /** One that is held ready and that no other start has chosen. */
    private Optional<PodSeen> ready(JobId job) {
        for (PodSeen pod : couriers.watch().of(job)) {
            if (mayBe(pod) && offered.add(pod.name())) {
                if (isReady(pod)) {
                    return Optional.of(pod);
                }
                offered.remove(pod.name());
            }
        }
        return Optional.empty();
    }

    private boolean mayBe(PodSeen pod) {
        Instant silent = silentSince.get(pod.name());
        return pod.isHeldReady()
                && pod.has(Labels.DELIVERED)
                && !pod.has(Labels.STOP)
                && pod.deleted().isEmpty()
                && pod.programRuns()
                && pod.sidecarRuns()
                && !isAway(pod)
                && (silent == null || config.clock().now().isAfter(silent.plus(SILENCE)));
    }

    private boolean isReady(PodSeen pod) {
        try {
            return process.isThere(pod);
        } catch (BackendException away) {
            LOG.log(Level.DEBUG, () -> pod.name() + " is passed over: " + away.getMessage());
            return false;
        }
    }

    private boolean isAway(PodSeen pod) {
        return pod.node().filter(nodes.lost()::contains).isPresent();
    }

    /** Which pod the attempt is to be, whoever said so first. */
    private String fence(ProcessKey key, String pod) throws BackendException {
        try {
            if (cluster.createSecret(objects.fence(key, pod))) {
                return pod;
            }
        } catch (KubernetesClientException answer) {
            if (Failures.isQuota(answer)) {
                throw answer;
            }
            throw Failures.of("secret " + Names.fence(key) + " could not be made", answer);
        }
        return cluster.fenced(Names.fence(key)).orElseGet(() -> Names.pod(key));
    }

    private boolean becomes(String name, Launch launch, Rendered rendered) throws BackendException {
        ProcessKey key = launch.key();
        Optional<PodSeen> there = reached(key, () -> cluster.pod(name));
        if (there.isEmpty() || there.get().was().isPresent() || isAway(there.get())) {
            boolean done = there.filter(pod -> pod.key().equals(key)).isPresent();
            if (done) {
                couriers.watch().take(there.get());
            }
            return done;
        }
        PodSeen pod = there.get();
        try {
            Optional<Instant> taken = taken(pod, launch, rendered);
            troubledSince.remove(key);
            if (taken.isEmpty()) {
                silentSince.put(name, config.clock().now());
                cluster.lead(name, "");
                couriers.watch().annotated(name, Map.of(Labels.MEMBER, ""));
                return false;
            }
            return isKnownAs(launch, pod, taken.get());
        } catch (BackendException broken) {
            endAfterAWhile(key, pod, broken);
            throw new BackendException(Kind.NO_CONTACT, broken.reasonCode(), broken.getMessage(), broken);
        }
    }

    /** When the pod's process became the attempt; empty where it never will. */
    private Optional<Instant> taken(PodSeen pod, Launch launch, Rendered rendered) throws BackendException {
        if (pod.isOver() || pod.programIsOver()) {
            return pod.sidecarRuns() ? process.takenBefore(pod, launch.key()) : Optional.empty();
        }
        lead(launch, pod.name());
        process.furnish(pod, launch);
        return process.order(pod, launch, rendered);
    }

    /**
     * The member's Service leads to this pod from now on, and to no other one of the job; nothing where it has none of its own. One held ready that it led to
     * was told to become an earlier attempt, and nobody knows whether it has: it is ended, as that attempt is over.
     */
    void lead(Launch launch, String pod) throws BackendException {
        if (!Places.isLed(launch.spec(), PodForm.member(launch))) {
            return;
        }
        String host = Names.host(PodForm.member(launch));
        for (PodSeen each : couriers.watch().of(launch.key().job())) {
            boolean isIt = each.name().equals(pod);
            boolean isMarked = each.annotation(Labels.MEMBER).equals(Optional.of(host));
            if (isIt != isMarked) {
                String mark = isIt ? host : "";
                if (!isIt && each.isHeldReady()) {
                    end(each, launch);
                }
                cluster.lead(each.name(), mark);
                couriers.watch().annotated(each.name(), Map.of(Labels.MEMBER, mark));
            }
        }
    }

    private void end(PodSeen pod, Launch launch) throws BackendException {
        if (!pod.isOver() && !pod.programIsOver()) {
            LOG.log(
                    Level.WARNING,
                    "pod " + pod.name() + " is ended: it was told to become an attempt before " + launch.key()
                            + ", and is not known to be it");
            Map<String, String> note = Map.of(Labels.STOP, "kill");
            cluster.annotate(pod.name(), note);
            couriers.watch().annotated(pod.name(), note);
            cluster.deletePod(pod.name());
        }
    }

    private boolean isKnownAs(Launch launch, PodSeen pod, Instant taken) throws BackendException {
        Held held = new Held(
                pod.key(), pod.annotation(Labels.DELIVERED).map(Instant::parse).orElse(taken), taken);
        Map<String, String> identity = new HashMap<>(PodForm.identity(launch));
        identity.put(Labels.WAS, held.text());
        identity.put(Labels.DELIVERED, taken.toString());
        cluster.become(pod.name(), identity).ifPresent(couriers.watch()::take);
        return true;
    }

    /**
     * A pod of which it cannot be found out whether it is the attempt is ended. Until it is over, or its node is lost, it may be, and the attempt is given no other.
     */
    private void endAfterAWhile(ProcessKey key, PodSeen pod, BackendException broken) throws BackendException {
        Instant now = config.clock().now();
        Instant since = troubledSince.computeIfAbsent(key, first -> now);
        if (now.isBefore(since.plus(PATIENCE))) {
            return;
        }
        if (pod.deleted().isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "pod " + pod.name() + " is ended, as it is not known whether it became " + key + ": "
                            + broken.getMessage());
        }
        cluster.deletePod(pod.name());
    }

    /** The attempt as which a pod is known that may have become this one already. */
    Optional<ProcessKey> begun(ProcessKey key) throws BackendException {
        Optional<String> pod = cluster.fenced(Names.fence(key)).filter(name -> !name.equals(Names.pod(key)));
        return pod.isPresent()
                ? cluster.pod(pod.get()).filter(PodSeen::isHeldReady).map(PodSeen::key)
                : Optional.empty();
    }
}
