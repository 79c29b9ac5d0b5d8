package dev.muster.backend.kubernetes;

import dev.muster.spi.Sighting.Hold;
import dev.muster.spi.Sighting.Seen;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** What groups lack that Kueue holds: it says so of its own objects only, which are listed while pods are held, where that is allowed. */
final class KueueWaits implements AutoCloseable {
    private static final long PERIOD_SECONDS = 3;

    private final Cluster cluster;
    private final PodWatch pods;
    private final Map<String, String> reasons = new ConcurrentHashMap<>();
    private final ScheduledExecutorService lookout = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("kueue").factory());

    KueueWaits(Cluster cluster, PodWatch pods) {
        this.cluster = cluster;
        this.pods = pods;
        lookout.scheduleWithFixedDelay(this::look, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
    }

    /** The same, with what the pod's group lacks. */
    Seen of(PodSeen pod, Seen seen) {
        if (seen instanceof Seen.Starting(Optional<Hold> hold) && hold.isPresent() && Kueue.holds(pod)) {
            String because = Optional.ofNullable(reasons.get(Kueue.group(pod.key())))
                    .map(text -> ": " + text)
                    .orElse("");
            return new Seen.Starting(hold.map(each -> new Hold(each.cause(), each.message() + because)));
        }
        return seen;
    }

    private void look() {
        if (pods.all().stream().noneMatch(Kueue::holds)) {
            reasons.clear();
            return;
        }
        try {
            Map<String, String> now = new HashMap<>();
            cluster.client()
                    .genericKubernetesResources(new ResourceDefinitionContext.Builder()
                            .withGroup(Kueue.API)
                            .withVersion("v1beta2")
                            .withKind("Workload")
                            .withPlural("workloads")
                            .withNamespaced(true)
                            .build())
                    .inNamespace(cluster.namespace())
                    .list()
                    .getItems()
                    .forEach(workload -> Kueue.why(workload)
                            .ifPresent(why -> now.put(workload.getMetadata().getName(), why)));
            reasons.keySet().retainAll(now.keySet());
            reasons.putAll(now);
        } catch (KubernetesClientException unreadable) {
            // That Kueue holds the group is told all the same.
            reasons.clear();
        }
    }

    @Override
    public void close() {
        lookout.shutdownNow();
    }
}
