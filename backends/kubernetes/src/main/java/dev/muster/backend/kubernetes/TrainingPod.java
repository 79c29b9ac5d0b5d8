package dev.muster.backend.kubernetes;

import dev.muster.spi.Launch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The template of a replica's pods: the pod that Muster would make of the first of them, without what is that one's alone. Which launch text a pod runs,
 * it tells from the operator's labels.
 *
 * @param pods how Muster makes pods
 */
record TrainingPod(PodForm pods) {
    private static final String TYPE = "MUSTER_REPLICA_TYPE";
    private static final String INDEX = "MUSTER_REPLICA_INDEX";

    /** What a pod reads in place of one launch text: it goes on with the one that is its own. */
    static final String START = ". /launch/start.$" + TYPE + ".$" + INDEX + "\nunset " + TYPE + " " + INDEX + "\n";

    /** Name of the launch text of a member in the Secret of its object. */
    static String start(Replica replica, int index) {
        return "start." + replica.label() + "." + index;
    }

    /**
     * The template.
     *
     * @param object name of the object, and of its Secret
     * @param first  the launch of the replica's first member
     */
    Tree of(TrainingKind kind, Replica replica, String object, Launch first) {
        Map<String, Object> pod = pods.of(first, object);
        Map<String, Object> metadata = Tree.inside(pod, "metadata");
        metadata.remove("name");
        Map<String, Object> annotations = Tree.inside(metadata, "annotations");
        annotations.remove(Labels.PROCESS);
        annotations.remove(Labels.ADDRESS);
        annotations.put(Labels.ROLE, replica.role());
        annotations.put(Labels.FIRST, Integer.toString(replica.first()));
        annotations.put(Labels.CONTAINER, kind.container());
        Map<String, Object> spec = Tree.inside(pod, "spec");
        List.of("restartPolicy", "hostname", "subdomain").forEach(spec::remove);
        if (!kind.isNumbered(replica)) {
            // What the operator puts before a launcher waits for the workers, with an account of the operator's.
            spec.remove("automountServiceAccountToken");
        }
        Map<String, Object> program = first(spec, "containers");
        program.put("name", kind.container());
        Map<String, Object> index = kind.isNumbered(replica)
                ? fromLabel(INDEX, OperatorPods.INDEX)
                : new Tree().put("name", INDEX).put("value", "0").fields();
        program.put("env", List.of(fromLabel(TYPE, OperatorPods.TYPE), index));
        return new Tree().put("metadata", metadata).put("spec", spec);
    }

    private static Map<String, Object> fromLabel(String variable, String label) {
        return new Tree()
                .put("name", variable)
                .put(
                        "valueFrom",
                        new Tree().put("fieldRef", new Tree().put("fieldPath", "metadata.labels['" + label + "']")))
                .fields();
    }

    /** The first of a list, which can be changed in place. */
    @SuppressWarnings("unchecked")
    private static Map<String, Object> first(Map<String, Object> spec, String list) {
        List<Object> all = new ArrayList<>((List<Object>) spec.get(list));
        Map<String, Object> copy = new LinkedHashMap<>((Map<String, Object>) all.getFirst());
        all.set(0, copy);
        spec.put(list, all);
        return copy;
    }
}
