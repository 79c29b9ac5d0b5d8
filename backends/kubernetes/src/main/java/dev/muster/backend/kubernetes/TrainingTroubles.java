package dev.muster.backend.kubernetes;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** What the operator complains of about objects that lack pods: it says so in events only, which are asked for while a pod is missing. */
final class TrainingTroubles implements AutoCloseable {
    private static final long PERIOD_SECONDS = 3;

    private final KubernetesConfig config;
    private final TrainingCluster cluster;
    private final TrainingWatch watch;
    private final PodWatch pods;
    private final Map<String, String> troubles = new ConcurrentHashMap<>();
    private final ScheduledExecutorService lookout = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("training").factory());

    TrainingTroubles(KubernetesConfig config, TrainingCluster cluster, TrainingWatch watch, PodWatch pods) {
        this.config = config;
        this.cluster = cluster;
        this.watch = watch;
        this.pods = pods;
        lookout.scheduleWithFixedDelay(this::look, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
    }

    Optional<String> of(String object) {
        return Optional.ofNullable(troubles.get(object));
    }

    private void look() {
        List<TrainingSeen> incomplete =
                watch.all().stream().filter(this::lacksPods).toList();
        Set<String> names = incomplete.stream().map(TrainingSeen::name).collect(Collectors.toSet());
        troubles.keySet().retainAll(names);
        for (TrainingSeen object : incomplete) {
            cluster.warning(object).ifPresent(text -> troubles.put(object.name(), text));
        }
    }

    private boolean lacksPods(TrainingSeen object) {
        boolean young = config.clock().now().isBefore(object.createdAt().plusSeconds(PERIOD_SECONDS));
        return !young
                && !object.deleted()
                && object.condition("Failed").isEmpty()
                && object.condition("Succeeded").isEmpty()
                && object.members().stream().anyMatch(key -> pods.of(key).isEmpty());
    }

    @Override
    public void close() {
        lookout.shutdownNow();
    }
}
