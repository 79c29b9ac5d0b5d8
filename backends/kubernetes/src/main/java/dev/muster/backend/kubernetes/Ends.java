package dev.muster.backend.kubernetes;

import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.spi.Backend.StopHow;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Ends attempts, fetches what they left, and removes their objects. */
final class Ends {
    private static final long POLL_MILLIS = 50;
    private static final long SOON_MILLIS = TimeUnit.SECONDS.toMillis(3);
    private static final long OVER_MILLIS = TimeUnit.SECONDS.toMillis(30);
    private static final long COLLECTED_MILLIS = TimeUnit.HOURS.toMillis(1);

    /** From then on it is told why a pod is not emptied: trouble of a moment is over by then. */
    private static final long UNREACHED_MILLIS = TimeUnit.SECONDS.toMillis(10);

    private final Cluster cluster;
    private final Couriers couriers;
    private final Nodes nodes;
    private final PodNames names;

    /** What the pod of an attempt is called; empty where it has none. */
    interface PodNames {
        Optional<String> of(ProcessKey key);
    }

    Ends(Cluster cluster, Couriers couriers, Nodes nodes, PodNames names) {
        this.names = names;
        this.cluster = cluster;
        this.couriers = couriers;
        this.nodes = nodes;
    }

    /** False where the attempt has no pod. */
    boolean stop(ProcessKey key, StopHow how) throws BackendException {
        Optional<PodSeen> found = pod(key);
        if (found.isPresent() && !isOver(found.get())) {
            stop(found.get(), how);
        }
        return found.isPresent();
    }

    private Optional<PodSeen> pod(ProcessKey key) throws BackendException {
        Optional<String> name = names.of(key);
        // One that was held ready may be another attempt by now.
        return name.isPresent()
                ? cluster.pod(name.get()).filter(pod -> pod.key().equals(key))
                : Optional.empty();
    }

    private static boolean isOver(PodSeen pod) {
        return pod.isOver()
                || pod.programIsOver()
                || pod.deleted().isPresent() && pod.node().isEmpty();
    }

    private void stop(PodSeen pod, StopHow how) throws BackendException {
        if (!pod.annotation(Labels.STOP).equals(Optional.of("kill"))) {
            Map<String, String> note =
                    new HashMap<>(Map.of(Labels.STOP, how.name().toLowerCase(Locale.ROOT)));
            Observation.note(pod, nodes.lost()).ifPresent(why -> note.put(Labels.OVER, why));
            cluster.annotate(pod.name(), note);
            couriers.watch().annotated(pod.name(), note);
        }
        if (!pod.programRuns() || isAway(pod)) {
            // Nothing of it runs yet, or it cannot be reached; a kubelet that comes back ends it.
            cluster.deletePod(pod.name());
            return;
        }
        String command = how == StopHow.ASK ? "/muster/bin/ask" : "/muster/bin/kill";
        try {
            cluster.exec(pod.name(), pod.container()).run(command);
        } catch (BackendException failed) {
            // Most likely it is over just now, and the API server is about to know.
            if (!isOverWithin(pod.name(), SOON_MILLIS)) {
                throw failed;
            }
        }
    }

    private boolean isAway(PodSeen pod) {
        return pod.node().isPresent() && nodes.lost().contains(pod.node().get());
    }

    void sweep(ProcessKey key) throws BackendException {
        Optional<PodSeen> pod = pod(key);
        // With the first process of a container everything in it ends.
        if (pod.isPresent() && !isOver(pod.get())) {
            end(pod.get());
        }
    }

    private void end(PodSeen pod) throws BackendException {
        stop(pod, StopHow.KILL);
        if (!isAway(pod)) {
            await(pod.name(), OVER_MILLIS, "does not end after SIGKILL", (seen, waited) -> isOver(seen));
        }
    }

    private interface Condition {
        boolean holds(PodSeen pod, long waitedMillis) throws BackendException;
    }

    private void await(String pod, long millis, String otherwise, Condition condition) throws BackendException {
        long left = millis;
        while (true) {
            Optional<PodSeen> seen = couriers.watch().named(pod);
            if (seen.isEmpty() || condition.holds(seen.get(), millis - left)) {
                return;
            }
            couriers.watch().requireContact();
            if (left <= 0) {
                throw new BackendException(Kind.FAILED, Cause.INTERNAL, "pod " + pod + " " + otherwise);
            }
            pause();
            left -= POLL_MILLIS;
        }
    }

    private boolean isOverWithin(String pod, long millis) throws BackendException {
        for (long left = millis; left > 0; left -= POLL_MILLIS) {
            Optional<PodSeen> seen = couriers.watch().named(pod);
            if (seen.isEmpty() || isOver(seen.get())) {
                return true;
            }
            pause();
        }
        return false;
    }

    private static void pause() throws BackendException {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
            throw new BackendException(Kind.NO_CONTACT, Cause.INTERNAL, "the wait for a pod was interrupted", end);
        }
    }

    void collect(JobId job) throws BackendException {
        couriers.watch().requireContact();
        for (PodSeen pod : couriers.watch().of(job)) {
            if (isOver(pod)) {
                await(pod.name(), COLLECTED_MILLIS, "could not be emptied", this::isEmptied);
            }
        }
    }

    /** Fails where the service's disk is full, and where the pod has not been reached for a while, so that the job can tell why it waits. */
    private boolean isEmptied(PodSeen pod, long waitedMillis) throws BackendException {
        if (pod.has(Labels.COLLECTED) || pod.isOver() && !pod.has(Labels.DELIVERED)) {
            return true;
        }
        Optional<? extends BackendException> trouble = couriers.notKept(pod.name());
        if (trouble.isEmpty() && waitedMillis >= UNREACHED_MILLIS) {
            trouble = couriers.unfetched(pod.name());
        }
        if (trouble.isPresent()) {
            throw trouble.get();
        }
        return false;
    }

    /**
     * A kubelet that has begun to end Muster's container waits for it as long as the pod's grace time, whatever becomes of the pod meanwhile: it would
     * stay on the node for a day, and with it a pod that others hold, such as Kueue.
     */
    private void letGo(PodSeen pod) {
        PodSeen now = couriers.watch().named(pod.name()).orElse(pod);
        if (now.sidecarRuns() && !isAway(now)) {
            Courier.letGo(cluster.exec(pod.name(), Labels.SIDECAR), pod.name());
        }
    }

    void remove(JobId job) throws BackendException {
        List<PodSeen> pods = cluster.pods(Map.of(Labels.JOB, job.value()));
        for (PodSeen pod : pods) {
            if (!isOver(pod)) {
                stop(pod, StopHow.KILL);
            }
        }
        for (PodSeen pod : pods) {
            if (!isOver(pod) && !isAway(pod)) {
                await(pod.name(), OVER_MILLIS, "does not end after SIGKILL", (seen, waited) -> isOver(seen));
            }
            couriers.dismiss(pod.name());
            letGo(pod);
            cluster.dropFinalizer(pod.name());
            cluster.deletePod(pod.name());
            couriers.watch().forget(pod.name());
        }
        cluster.deleteObjects(job.value());
    }
}
