package dev.muster.backend.kubernetes;

import dev.muster.backend.kubernetes.TrainingObservation.Word;
import dev.muster.model.JobId;
import dev.muster.spi.BackendException;
import dev.muster.spi.Sighting.Seen;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Ends of pods that others brought about, told by what became of their object. Objects and pods are watched apart, so that the end of a pod may be known
 * before its cause is: the object is read anew when such an end is seen first, and what it tells then stays told.
 */
final class TrainingEnds {
    private final Objects objects;
    private final Map<String, Told> told = new ConcurrentHashMap<>();

    /** How the API server is asked for the object of a name. */
    interface Objects {
        /** The object as it is now, marked as deleted where it is gone; empty where it is gone and nothing is known of it. */
        Optional<TrainingSeen> read(String name) throws BackendException;
    }

    /** What an object told of a pod of the job; empty where it was only the pod that others ended. */
    private record Told(JobId job, Optional<Word> word) {}

    TrainingEnds(Objects objects) {
        this.objects = objects;
    }

    /** What became of the pod, where its own state tells it so. */
    Seen of(PodSeen pod, Seen seen) throws BackendException {
        if (!TrainingObservation.asksItsObject(pod, seen)) {
            return seen;
        }
        Told known = told.get(pod.uid());
        if (known == null) {
            String name = TrainingPlaces.objectOfPod(pod.name());
            known = new Told(pod.job(), TrainingObservation.word(objects.read(name), name));
            told.put(pod.uid(), known);
        }
        return known.word().map(word -> TrainingObservation.told(seen, word)).orElse(seen);
    }

    void forget(JobId job) {
        told.values().removeIf(each -> each.job().equals(job));
    }
}
