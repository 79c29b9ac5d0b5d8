package dev.muster.backend.kubernetes;

import dev.muster.model.JobSpec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * An object of the training operator, as the text that is sent; pure. It restarts nothing and removes nothing: what becomes of a failure is Muster's
 * to say, or its user's.
 */
record TrainingJob(TrainingKind kind, JobSpec spec) {
    /**
     * The object.
     *
     * @param metadata of it
     * @param policy   what stands in its run policy besides
     * @param template of the pods of a replica
     */
    Tree of(Tree metadata, Map<String, Object> policy, Function<Replica, Tree> template) {
        Map<String, Object> replicas = new LinkedHashMap<>();
        for (Replica replica : kind.replicas(spec)) {
            replicas.put(
                    replica.type(),
                    new Tree()
                            .put("replicas", replica.count())
                            .put("restartPolicy", "Never")
                            .put("template", template.apply(replica))
                            .fields());
        }
        return new Tree()
                .put("apiVersion", TrainingKind.GROUP + "/" + TrainingKind.VERSION)
                .put("kind", kind.kind())
                .put("metadata", metadata)
                .put(
                        "spec",
                        new Tree()
                                .put("runPolicy", runPolicy(policy))
                                .put("nprocPerNode", ranksOfALauncher())
                                .put("slotsPerWorker", slots())
                                .put(kind.replicaField(), replicas));
    }

    /** Without a backoffLimit: with one, also of 0, the operator deletes all pods as soon as one fails, whatever cleanPodPolicy says. */
    private static Tree runPolicy(Map<String, Object> more) {
        Tree policy = new Tree().put("cleanPodPolicy", "None");
        more.forEach(policy::put);
        return policy;
    }

    private Optional<String> ranksOfALauncher() {
        return kind == TrainingKind.PYTORCHJOB && spec.options().torchrun()
                ? Optional.of(Integer.toString(spec.processesPerWorker()))
                : Optional.empty();
    }

    private Optional<Integer> slots() {
        return kind == TrainingKind.MPIJOB ? Optional.of(spec.processesPerWorker()) : Optional.empty();
    }
}
