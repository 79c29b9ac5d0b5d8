package dev.muster.backend.kubernetes;

import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The operator's objects of this service as the API server tells of them. */
final class TrainingWatch extends ObjectWatch<TrainingSeen> {
    private final List<SharedIndexInformer<GenericKubernetesResource>> informers = new ArrayList<>();
    private final Consumer<JobId> changed;

    TrainingWatch(TrainingCluster cluster, Consumer<JobId> changed) {
        this.changed = changed;
        for (TrainingKind kind : TrainingKind.values()) {
            informers.add(cluster.objects(kind)
                    .runnableInformer(RESYNC_MILLIS)
                    .addEventHandler(handler(object -> TrainingReader.read(kind, object)))
                    // Asked again for ever: a cluster that is away comes back, and a kind may be installed later.
                    .exceptionHandler((started, problem) -> true));
        }
        informers.forEach(SharedIndexInformer::start);
    }

    @Override
    void take(TrainingSeen seen) {
        objects.put(seen.name(), seen);
        changed.accept(seen.job());
    }

    /** Its members learn from it that it was deleted, until the job is removed. */
    @Override
    void gone(TrainingSeen seen) {
        objects.computeIfPresent(seen.name(), (name, known) -> known.gone());
        changed.accept(seen.job());
    }

    Optional<TrainingSeen> of(ProcessKey key) {
        return of(key.job()).stream()
                .filter(object -> object.members().contains(key))
                .findFirst();
    }

    @Override
    public void close() {
        informers.forEach(SharedIndexInformer::stop);
    }
}
