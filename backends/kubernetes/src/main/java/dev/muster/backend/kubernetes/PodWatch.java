package dev.muster.backend.kubernetes;

import dev.muster.model.Cause;
import dev.muster.model.ProcessKey;
import dev.muster.spi.BackendException;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The pods of this service as the API server tells of them: listed once, then watched, listed anew whenever the watch was broken. Knows whether
 * there is contact; without it nothing is told of pods, for what was true then may not be now.
 */
final class PodWatch extends ObjectWatch<PodSeen> {
    private static final Logger LOG = System.getLogger(PodWatch.class.getName());
    private static final long LIST_MILLIS = 5_000;
    private static final long PAUSE_MILLIS = 20;
    private static final long FIRST_PAUSE_MILLIS = 500;
    private static final long LONGEST_PAUSE_MILLIS = 8_000;

    private final Cluster cluster;
    private final Consumer<PodSeen> changed;
    private final Pulse pulse;
    private final SharedIndexInformer<Pod> informer;
    private final Set<String> marking = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;
    private volatile Optional<KubernetesClientException> refusal = Optional.empty();

    PodWatch(Cluster cluster, Consumer<PodSeen> changed) {
        this.cluster = cluster;
        this.changed = changed;
        pulse = new Pulse(cluster::ping);
        informer = cluster.client()
                .pods()
                .inNamespace(cluster.namespace())
                .withLabels(cluster.ours())
                .runnableInformer(RESYNC_MILLIS)
                .addEventHandler(handler(PodReader::read))
                // Asked again for ever: a cluster that is away comes back.
                .exceptionHandler((started, problem) -> {
                    refusal = answer(problem);
                    return true;
                });
        informer.start();
    }

    @Override
    void take(PodSeen seen) {
        // What this service has noted meanwhile is not taken back by what the API server told before.
        objects.merge(seen.name(), seen, (known, told) -> known.uid().equals(told.uid()) ? newer(known, told) : told);
        changed.accept(seen);
    }

    /** One that has become another attempt does not become again what it was. */
    static PodSeen newer(PodSeen known, PodSeen told) {
        return known.has(Labels.WAS) && !told.has(Labels.WAS) ? known : told.withKept(known.annotations());
    }

    @Override
    void gone(PodSeen seen) {
        if (seen.deleted().isEmpty()) {
            // What is deleted says so first, as long as it has its finalizer: this one may only be out of the watch's
            // sight.
            unmarked(seen);
        } else {
            removed(seen);
        }
    }

    private void removed(PodSeen seen) {
        objects.computeIfPresent(seen.name(), (name, known) -> known.uid().equals(seen.uid()) ? null : known);
        changed.accept(seen);
    }

    /** Somebody took its labels away, by which it is found, ended and removed: it is given them again, or known to be gone. */
    @Override
    void unmarked(PodSeen before) {
        if (marking.add(before.uid())) {
            Thread.ofVirtual().start(() -> mark(before));
        }
    }

    /** Tried until it is done: without its labels nothing of the pod would ever be seen again. */
    private void mark(PodSeen before) {
        long pause = FIRST_PAUSE_MILLIS;
        try {
            while (!closed && !isMarked(before, pause == FIRST_PAUSE_MILLIS)) {
                Thread.sleep(pause);
                pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        } finally {
            marking.remove(before.uid());
        }
    }

    private boolean isMarked(PodSeen before, boolean first) {
        try {
            if (!cluster.mark(before.name(), before.job(), before.annotation(Labels.MEMBER))) {
                removed(before);
                unnameGone(before);
            }
            return true;
        } catch (BackendException away) {
            if (first) {
                LOG.log(
                        Level.WARNING,
                        before.name() + " lost its labels and is given them again once that works: "
                                + away.getMessage());
            }
            return false;
        }
    }

    /** The pod was given these annotations; the watch tells of it later. */
    void annotated(String pod, Map<String, String> annotations) {
        objects.computeIfPresent(pod, (name, seen) -> seen.with(annotations));
    }

    boolean hasContact() {
        return informer.hasSynced() && informer.isWatching();
    }

    /** Asks the API server for a sign of life, so that what the watch told last is known to be all there is to tell. */
    void requireContact() throws BackendException {
        pulse.feel();
        if (!awaitContact()) {
            throw new BackendException(
                    BackendException.Kind.NO_CONTACT,
                    Cause.INTERNAL,
                    refusal.map(answer ->
                                    Failures.of("pods were listed", answer).getMessage())
                            .orElse("the cluster's API server answers, but its pods are not known yet"));
        }
        refusal = Optional.empty();
    }

    private static Optional<KubernetesClientException> answer(Throwable problem) {
        return Stream.iterate(problem, Objects::nonNull, Throwable::getCause)
                .filter(KubernetesClientException.class::isInstance)
                .map(KubernetesClientException.class::cast)
                .findFirst();
    }

    /** The list of pods comes soon after the first answer. */
    private boolean awaitContact() {
        try {
            for (long waited = 0; !hasContact() && waited < LIST_MILLIS; waited += PAUSE_MILLIS) {
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
        return hasContact();
    }

    Optional<PodSeen> of(ProcessKey key) {
        return of(key.job()).stream().filter(pod -> pod.key().equals(key)).findFirst();
    }

    @Override
    public void close() {
        closed = true;
        informer.stop();
    }
}
