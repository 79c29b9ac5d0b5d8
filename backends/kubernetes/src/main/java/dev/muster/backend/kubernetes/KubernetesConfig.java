package dev.muster.backend.kubernetes;

import dev.muster.model.Capacity;
import dev.muster.spi.Clock;
import dev.muster.spi.CodeStore;
import dev.muster.spi.JobFolders;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * How the Kubernetes backend is set up.
 *
 * @param folders      where files of jobs are on the service's host
 * @param code         snapshots of training code
 * @param clock        the service's clock
 * @param freshName    a name that nobody else knows
 * @param instance     tells the objects of this service from those of others in the same namespace; a label value, the same over restarts
 * @param kubeconfig   the file that says where the cluster is and who we are; empty inside a cluster
 * @param namespace    where jobs run; empty for that of the kubeconfig's context, or the service's own in a cluster
 * @param sidecarImage image of Muster's container: any that has a static {@code /bin/busybox} and {@code sh}
 * @param gpuResource  the resource that one GPU is called by
 * @param pythonClaim  the claim where requirements are installed once for all pods; empty for each pod by itself
 * @param patchable    paths of a pod that a job's podPatch may set, such as {@code spec.schedulerName}
 * @param capacity     what jobs may take together; empty for what the nodes have
 * @param collectWithin how long a pod that is over waits for its log, model and checkpoints to be fetched
 */
public record KubernetesConfig(
        JobFolders folders,
        CodeStore code,
        Clock clock,
        Supplier<String> freshName,
        String instance,
        Optional<Path> kubeconfig,
        Optional<String> namespace,
        String sidecarImage,
        String gpuResource,
        Optional<String> pythonClaim,
        Set<String> patchable,
        Optional<Capacity> capacity,
        Duration collectWithin) {
    public static final String SIDECAR_IMAGE = "docker.io/library/busybox:1.36.1";
    public static final String GPU_RESOURCE = "nvidia.com/gpu";
    public static final Duration COLLECT_WITHIN = Duration.ofDays(1);

    /** What changes where a pod runs or how it is labelled, but not what it may do. */
    public static final Set<String> PATCHABLE = Set.of(
            "metadata.labels",
            "metadata.annotations",
            "spec.schedulerName",
            "spec.topologySpreadConstraints",
            "spec.runtimeClassName",
            "spec.dnsConfig",
            "spec.hostAliases");

    public KubernetesConfig {
        patchable = Set.copyOf(patchable);
    }
}
