package dev.muster.backend.kubernetes;

import dev.muster.model.Options;
import dev.muster.model.Resources;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the blocks of a job text that belong to a cluster become in a pod, whoever makes the pod; pure. */
final class BlockForm {
    private BlockForm() {}

    /** Where and as whom the pod runs. */
    static void scheduling(Tree spec, Block block, boolean hostNetwork) {
        spec.put("automountServiceAccountToken", block.text("serviceAccount").isPresent())
                .put("hostNetwork", hostNetwork ? Optional.of(true) : Optional.empty())
                .put("dnsPolicy", hostNetwork ? Optional.of("ClusterFirstWithHostNet") : Optional.empty())
                .put("serviceAccountName", block.text("serviceAccount"))
                .put("priorityClassName", block.text("priorityClass"))
                .put("nodeSelector", block.tree("nodeSelector"))
                .put("tolerations", block.tree("tolerations"))
                .put("affinity", block.tree("affinity"))
                .put(
                        "imagePullSecrets",
                        block.tree("imagePullSecrets")
                                .map(names -> block.list("imagePullSecrets").stream()
                                        .map(name -> Map.of("name", name))
                                        .toList()));
    }

    /** Requests and limits alike; empty where nothing is asked for. */
    static Tree resources(Resources asked, Optional<Options.Rdma> rdma, String gpuResource) {
        Map<String, Object> amounts = new LinkedHashMap<>();
        asked.milliCpus().ifPresent(cpus -> amounts.put("cpu", cpus + "m"));
        asked.memoryBytes().ifPresent(bytes -> amounts.put("memory", Long.toString(bytes)));
        if (asked.gpus() > 0) {
            amounts.put(gpuResource, Integer.toString(asked.gpus()));
        }
        rdma.ifPresent(devices -> amounts.put(devices.resource(), Integer.toString(devices.count())));
        Tree resources = new Tree();
        return amounts.isEmpty()
                ? resources
                : resources.put("requests", amounts).put("limits", amounts);
    }

    /** RDMA devices need memory that stays where it is. */
    static Optional<Tree> security(Optional<Options.Rdma> rdma) {
        return rdma.map(devices -> new Tree().put("capabilities", new Tree().put("add", List.of("IPC_LOCK"))));
    }

    /** Mounts of the job's own volumes. */
    static List<Map<String, Object>> mounts(Block block) {
        return block.volumes().map(BlockForm::mount).toList();
    }

    private static Map<String, Object> mount(Map<?, ?> volume) {
        return new Tree()
                .put("name", volume.get("name"))
                .put("mountPath", volume.get("mountPath"))
                .put("subPath", Optional.ofNullable(volume.get("subPath")))
                .put("readOnly", Optional.ofNullable(volume.get("readOnly")))
                .fields();
    }

    /** The job's own volumes. */
    static List<Map<String, Object>> volumes(Block block) {
        return block.volumes().map(BlockForm::source).toList();
    }

    private static Map<String, Object> source(Map<?, ?> volume) {
        Map<String, Object> source = new LinkedHashMap<>();
        volume.forEach((name, value) -> source.put(String.valueOf(name), value));
        List.of("mountPath", "subPath", "readOnly").forEach(source::remove);
        return source;
    }
}
