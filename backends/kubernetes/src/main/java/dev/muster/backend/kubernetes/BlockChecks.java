package dev.muster.backend.kubernetes;

import dev.muster.model.Problem;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a {@code kubernetes:} block may not say.
 *
 * @param config    what is allowed
 * @param namespace where jobs run
 */
record BlockChecks(KubernetesConfig config, String namespace) {
    private static final String PATCH = "kubernetes.podPatch";
    private static final Set<String> MUSTERS = Set.of("muster", "launch", "shm", "checkpoints", "python");

    void check(Block block, List<Problem> problems) {
        block.text("namespace")
                .filter(asked -> !asked.equals(namespace))
                .ifPresent(asked -> problems.add(Problem.of(
                        "kubernetes.namespace",
                        "this service runs jobs in namespace " + namespace + ", not in " + asked,
                        "leave it out")));
        int index = 0;
        for (Object each : block.list("volumes")) {
            if (each instanceof Map<?, ?> volume) {
                allowed("kubernetes.volumes[" + index + "]", volume, problems);
            }
            index++;
        }
        patch(block.mapping("podPatch"), problems);
        BlockTypes.check(block, problems);
    }

    private void allowed(String field, Map<?, ?> volume, List<Problem> problems) {
        if (volume.get("mountPath") instanceof String path && isTaken(path)) {
            problems.add(
                    Problem.of(field + ".mountPath", path + " is Muster's own or no absolute path", "choose another"));
        }
        if (volume.get("name") instanceof String name && MUSTERS.contains(name)) {
            problems.add(Problem.of(field + ".name", name + " is a volume of Muster's", "choose another name"));
        }
        if (volume.containsKey("hostPath") && !config.patchable().contains("spec.volumes.hostPath")) {
            problems.add(Problem.of(
                    field + ".hostPath",
                    "folders of nodes may not be mounted by a job",
                    "use a claim; an admin may allow spec.volumes.hostPath in the service's configuration"));
        }
    }

    private static boolean isTaken(String path) {
        return !path.startsWith("/")
                || path.equals("/")
                || path.startsWith(PodPaths.ROOT)
                || path.startsWith(PodPaths.LAUNCH);
    }

    private void patch(Map<?, ?> patch, List<Problem> problems) {
        List<Problem> refused = new ArrayList<>();
        for (String path : paths("", patch)) {
            boolean allowed =
                    config.patchable().stream().anyMatch(start -> path.equals(start) || path.startsWith(start + "."));
            if (!allowed || path.contains(Labels.PREFIX)) {
                refused.add(Problem.of(
                        PATCH,
                        path + " may not be set by a job",
                        "allowed are " + String.join(", ", new TreeSet<>(config.patchable()))
                                + "; an admin may allow more in the service's configuration"));
            }
        }
        problems.addAll(
                refused.isEmpty() && !patch.isEmpty() ? ApiTypes.check(PATCH, patch, Pod.class, Set.of()) : refused);
    }

    /** The paths a patch sets: two levels, and below labels and annotations their names. */
    private static List<String> paths(String above, Map<?, ?> patch) {
        List<String> paths = new ArrayList<>();
        patch.forEach((key, value) -> {
            String path = above.isEmpty() ? String.valueOf(key) : above + "." + key;
            boolean goesOn = above.isEmpty()
                    || Set.of("metadata.labels", "metadata.annotations").contains(path);
            if (goesOn && value instanceof Map<?, ?> inside && !inside.isEmpty()) {
                paths.addAll(paths(path, inside));
            } else {
                paths.add(path);
            }
        });
        return paths;
    }
}
