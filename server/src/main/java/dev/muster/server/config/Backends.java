package dev.muster.server.config;

import dev.muster.backend.local.OsUser;
import dev.muster.backend.local.OsUsers;
import dev.muster.backend.local.RunAs;
import dev.muster.model.BackendKind;
import dev.muster.spec.form.At;
import dev.muster.spec.form.Sizes;
import dev.muster.spec.form.Values;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Block {@code backends}: which are offered, and their settings as the variables by which an embedded service is told the same. */
final class Backends {
    private Backends() {}

    /** Those named; without the block every one that there is. */
    static Set<BackendKind> offered(Values values) {
        Optional<Values> block = values.get(ServerFields.BACKENDS);
        Set<BackendKind> offered = EnumSet.noneOf(BackendKind.class);
        if (block.isEmpty() || block.get().has(ServerFields.LOCAL)) {
            offered.add(BackendKind.LOCAL);
        }
        if (block.isEmpty() || block.get().has(ServerFields.DOCKER)) {
            offered.add(BackendKind.DOCKER);
        }
        if (block.isEmpty() || block.get().has(ServerFields.KUBERNETES)) {
            offered.add(BackendKind.KUBERNETES);
        }
        if (block.isEmpty() || block.get().has(ServerFields.KUBEFLOW)) {
            offered.add(BackendKind.KUBEFLOW);
        }
        return offered;
    }

    /** @param folder absolute folder from which relative paths are read */
    static Map<String, String> settings(Values values, Path folder) {
        Map<String, String> settings = new TreeMap<>();
        Optional<Values> backends = values.get(ServerFields.BACKENDS);
        backends.flatMap(block -> block.get(ServerFields.DOCKER)).ifPresent(docker -> docker(docker, settings));
        backends.flatMap(block -> block.get(ServerFields.KUBERNETES))
                .ifPresent(cluster -> cluster(cluster, folder, "", "MUSTER_KUBERNETES_", settings));
        backends.flatMap(block -> block.get(ServerFields.KUBEFLOW))
                .ifPresent(cluster -> cluster(cluster, folder, "MUSTER_KUBEFLOW_", "MUSTER_KUBEFLOW_", settings));
        return settings;
    }

    private static void docker(Values docker, Map<String, String> settings) {
        docker.get(ServerFields.DOCKER_HOST).ifPresent(host -> settings.put("DOCKER_HOST", host));
        docker.get(ServerFields.MOUNTS)
                .ifPresent(mounts -> settings.put("MUSTER_DOCKER_MOUNTS", String.join(":", mounts)));
        docker.get(ServerFields.FILES).ifPresent(files -> settings.put("MUSTER_DOCKER_FILES", files));
        docker.get(ServerFields.DEVICES).ifPresent(gpus -> settings.put("MUSTER_DOCKER_GPUS", String.join(",", gpus)));
        docker.get(ServerFields.CAPACITY).ifPresent(amount -> settings.put("MUSTER_DOCKER_CAPACITY", text(amount)));
    }

    private static void cluster(
            Values cluster, Path folder, String before, String prefix, Map<String, String> settings) {
        cluster.get(ServerFields.KUBECONFIG)
                .ifPresent(file -> settings.put(
                        before + "KUBECONFIG", folder.resolve(file).normalize().toString()));
        Map.of(
                        "NAMESPACE", ServerFields.NAMESPACE,
                        "SIDECAR", ServerFields.SIDECAR,
                        "GPU", ServerFields.GPU_RESOURCE,
                        "PYTHON_CLAIM", ServerFields.PYTHON_CLAIM,
                        "INSTANCE", ServerFields.INSTANCE)
                .forEach((name, field) -> cluster.get(field).ifPresent(value -> settings.put(prefix + name, value)));
        cluster.get(ServerFields.PATCHABLE)
                .ifPresent(fields -> settings.put(prefix + "PATCHABLE", String.join(",", fields)));
    }

    private static String text(Values amount) {
        List<String> parts = new ArrayList<>();
        amount.get(ServerFields.PROCESSES).ifPresent(count -> parts.add("processes=" + count));
        amount.get(ServerFields.CPUS).ifPresent(milli -> parts.add("cpus=" + Sizes.writeCpus(milli)));
        // In a form that has every number of bytes.
        amount.get(ServerFields.MEMORY).ifPresent(bytes -> parts.add("memory=" + bytes));
        amount.get(ServerFields.GPUS).ifPresent(count -> parts.add("gpus=" + count));
        return String.join(",", parts);
    }

    /** As whom processes of backend local run; each wrong entry is told. */
    static RunAs runAs(Values values) {
        Map<String, OsUser> users = new TreeMap<>();
        values.get(ServerFields.BACKENDS)
                .flatMap(backends -> backends.get(ServerFields.LOCAL))
                .filter(local -> local.has(ServerFields.RUN_AS))
                .ifPresent(local -> local.get(ServerFields.RUN_AS, Map.of()).forEach((user, as) -> {
                    try {
                        users.put(user, OsUsers.find(as));
                    } catch (OsUsers.UnusableException unusable) {
                        At all = local.at(ServerFields.RUN_AS);
                        all.field(user, all.tree()).wrong(unusable.getMessage());
                    }
                }));
        return new RunAs(users);
    }
}
