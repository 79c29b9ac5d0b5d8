package dev.muster.backend.kubernetes;

import dev.muster.spi.BackendException;
import io.fabric8.kubernetes.client.Config;
import java.nio.file.Path;
import java.util.Optional;

/** Whether jobs could run on a cluster, asked of it without anything being made there. */
public final class ClusterCheck {
    private ClusterCheck() {}

    /**
     * What the cluster, or the way to it, has against it: no answer, an unknown token, too few rights, a namespace that is not there.
     *
     * @param kubeconfig that of the service; empty inside a cluster
     * @param namespace  where jobs are to run; empty for that of the kubeconfig's context
     */
    public static Optional<String> problem(Optional<Path> kubeconfig, Optional<String> namespace) {
        try {
            return problem(Cluster.found(kubeconfig), namespace);
        } catch (KubeconfigException unreadable) {
            return Optional.of(unreadable.getMessage());
        }
    }

    private static Optional<String> problem(Config found, Optional<String> namespace) {
        try (Cluster cluster = new Cluster(found, Cluster.namespace(found, namespace), "check")) {
            cluster.ping();
            cluster.requirePods();
            cluster.requireNamespace();
            return Optional.empty();
        } catch (BackendException wrong) {
            return Optional.of(wrong.getMessage());
        }
    }
}
