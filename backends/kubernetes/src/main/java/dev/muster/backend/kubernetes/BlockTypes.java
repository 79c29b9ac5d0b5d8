package dev.muster.backend.kubernetes;

import dev.muster.model.Problem;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Whether the parts of a {@code kubernetes:} block that are handed on are what Kubernetes has there, whoever makes pods of them; pure. */
final class BlockTypes {
    private static final String NAME = "name";
    private static final String PATH = "mountPath";
    private static final Set<String> MOUNT = Set.of(PATH, "subPath", "readOnly");

    private BlockTypes() {}

    static void check(Block block, List<Problem> problems) {
        block.tree("nodeSelector").ifPresent(given -> problems.addAll(partOfPod("nodeSelector", given)));
        block.tree("affinity").ifPresent(given -> problems.addAll(partOfPod("affinity", given)));
        block.tree("tolerations").ifPresent(given -> problems.addAll(partOfPod("tolerations", given)));
        int index = 0;
        for (Object each : block.list("volumes")) {
            problems.addAll(volume("kubernetes.volumes[" + index + "]", each));
            index++;
        }
    }

    private static List<Problem> partOfPod(String name, Object given) {
        return ApiTypes.check("kubernetes", Map.of(name, given), PodSpec.class, Set.of());
    }

    private static List<Problem> volume(String field, Object given) {
        if (!(given instanceof Map<?, ?> volume)) {
            return List.of(Problem.of(
                    field,
                    "must be a Kubernetes Volume with its mountPath, not " + ApiTypes.shown(given),
                    "write {name: cache, mountPath: /cache, persistentVolumeClaim: {claimName: cache}}"));
        }
        List<Problem> problems = new ArrayList<>();
        missing(field, volume, NAME, "the name the pod has for it, such as cache", problems);
        missing(field, volume, PATH, "where the program finds it, such as /cache", problems);
        Tree mount = new Tree();
        Tree source = new Tree();
        volume.forEach((key, value) -> (MOUNT.contains(key) ? mount : source).put(String.valueOf(key), value));
        problems.addAll(ApiTypes.check(field, mount.fields(), VolumeMount.class, Set.of()));
        List<Problem> wrong = ApiTypes.check(field, source.fields(), Volume.class, MOUNT);
        problems.addAll(wrong);
        if (wrong.isEmpty()) {
            sources(field, source.fields(), problems);
        }
        return problems;
    }

    private static void missing(String field, Map<?, ?> volume, String name, String meaning, List<Problem> problems) {
        if (!volume.containsKey(name)) {
            problems.add(Problem.of(field + "." + name, "is missing", meaning));
        }
    }

    /** Of a volume without one Kubernetes makes an empty folder, and what is written there goes with the pod. */
    private static void sources(String field, Map<String, Object> volume, List<Problem> problems) {
        Set<String> sources = new TreeSet<>(volume.keySet());
        sources.remove(NAME);
        if (sources.isEmpty()) {
            problems.add(Problem.of(
                    field,
                    "has no source",
                    "write persistentVolumeClaim: {claimName: NAME}, or emptyDir: {} for what may go with the pod"));
        } else if (sources.size() > 1) {
            problems.add(Problem.of(
                    field, "has more than one source: " + String.join(", ", sources), "make a volume of each"));
        }
    }
}
