package dev.muster.backend.kubernetes;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Pods that the training operator made of a template of ours. All pods of a template have the same annotations; what tells one from the other is the
 * operator's own label, and becomes here what Muster writes on pods that it makes itself.
 */
final class OperatorPods {
    static final String TYPE = "training.kubeflow.org/replica-type";
    static final String INDEX = "training.kubeflow.org/replica-index";

    private OperatorPods() {}

    /** The annotations as Muster would have written them; as they are where no operator made the pod. */
    static Map<String, String> annotations(ObjectMeta meta) {
        Map<String, String> given = Optional.ofNullable(meta.getAnnotations()).orElse(Map.of());
        Map<String, String> labels = Optional.ofNullable(meta.getLabels()).orElse(Map.of());
        boolean launcher = labels.getOrDefault(TYPE, "").equals(TrainingKind.LAUNCHER);
        String index = labels.getOrDefault(INDEX, launcher ? "0" : "");
        if (!given.containsKey(Labels.ROLE) || !index.matches("\\d{1,9}")) {
            return given;
        }
        Map<String, String> all = new HashMap<>(given);
        int member = Integer.parseInt(given.getOrDefault(Labels.FIRST, "0")) + Integer.parseInt(index);
        all.put(Labels.PROCESS, given.get(Labels.ROLE) + "-" + member);
        all.put(Labels.ADDRESS, meta.getName() + "." + meta.getNamespace() + ".svc");
        if (!index.equals("0")) {
            // Only the first of a template can be the chief.
            all.remove(Labels.CHIEF);
        }
        return all;
    }
}
