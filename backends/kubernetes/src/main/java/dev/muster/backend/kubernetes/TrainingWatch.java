package dev.muster.backend.kubernetes;

import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The operator's objects of this service as the API server tells of them: listed once, then watched, listed anew whenever the watch was broken. */
final class TrainingWatch implements AutoCloseable {
    private static final long RESYNC_MILLIS = 60_000;

    private final Map<String, TrainingSeen> objects = new ConcurrentHashMap<>();
    private final List<SharedIndexInformer<GenericKubernetesResource>> informers = new ArrayList<>();
    private final Consumer<JobId> changed;

    TrainingWatch(TrainingCluster cluster, Consumer<JobId> changed) {
        this.changed = changed;
        for (TrainingKind kind : TrainingCluster.KINDS) {
            informers.add(cluster.objects(kind)
                    .runnableInformer(RESYNC_MILLIS)
                    .addEventHandler(new Handler(kind))
                    // Asked again for ever: a cluster that is away comes back, and a kind may be installed later.
                    .exceptionHandler((started, problem) -> true));
        }
        informers.forEach(SharedIndexInformer::start);
    }

    private final class Handler implements ResourceEventHandler<GenericKubernetesResource> {
        private final TrainingKind kind;

        Handler(TrainingKind kind) {
            this.kind = kind;
        }

        @Override
        public void onAdd(GenericKubernetesResource object) {
            take(object);
        }

        @Override
        public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource object) {
            take(object);
        }

        @Override
        public void onDelete(GenericKubernetesResource object, boolean stateUnknown) {
            objects.remove(object.getMetadata().getName());
            TrainingReader.read(kind, object).ifPresent(seen -> changed.accept(seen.job()));
        }

        private void take(GenericKubernetesResource object) {
            TrainingReader.read(kind, object).ifPresent(seen -> {
                objects.put(seen.name(), seen);
                changed.accept(seen.job());
            });
        }
    }

    /** One that was just made, which the watch tells of later. */
    void known(TrainingSeen object) {
        objects.putIfAbsent(object.name(), object);
    }

    void forget(String name) {
        objects.remove(name);
    }

    Optional<TrainingSeen> object(String name) {
        return Optional.ofNullable(objects.get(name));
    }

    List<TrainingSeen> all() {
        return List.copyOf(objects.values());
    }

    Optional<TrainingSeen> of(ProcessKey key) {
        return of(key.job()).stream()
                .filter(object -> object.members().contains(key))
                .findFirst();
    }

    List<TrainingSeen> of(JobId job) {
        return objects.values().stream()
                .filter(object -> object.job().equals(job))
                .sorted((one, other) -> one.name().compareTo(other.name()))
                .toList();
    }

    @Override
    public void close() {
        informers.forEach(SharedIndexInformer::stop);
    }
}
