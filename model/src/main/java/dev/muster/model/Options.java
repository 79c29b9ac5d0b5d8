package dev.muster.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The parts of the job text that belong to one framework or one backend.
 *
 * @param evaluatorInCluster TensorFlow: the evaluator is listed in the cluster map
 * @param sparseCluster      TensorFlow: each process sees only itself and the parameter servers
 * @param torchrun           PyTorch: one torchrun a worker instead of one process a rank
 * @param localAddress       local: where workers live
 * @param network            absent when it asks for nothing
 * @param docker             absent when not given
 * @param kubernetes         the block as given, absent when not given; its keys are known to be legal
 */
public record Options(
        boolean evaluatorInCluster,
        boolean sparseCluster,
        boolean torchrun,
        String localAddress,
        Optional<Network> network,
        Optional<Docker> docker,
        Optional<Map<String, Object>> kubernetes) {
    public static final Options DEFAULT =
            new Options(false, false, false, "127.0.0.1", Optional.empty(), Optional.empty(), Optional.empty());

    public Options {
        network = network.filter(asked -> !asked.equals(Network.DEFAULT));
        kubernetes = kubernetes.map(Map::copyOf);
    }

    /** Network of a cluster: the interface collectives use, the host's own network, RDMA devices. */
    public record Network(Optional<String> networkInterface, boolean hostNetwork, Optional<Rdma> rdma) {
        /** As without the block: it asks for nothing. */
        public static final Network DEFAULT = new Network(Optional.empty(), false, Optional.empty());
    }

    /** RDMA devices by Kubernetes resource name. */
    public record Rdma(String resource, int count) {}

    /** Docker: shared memory in bytes, mounts as {@code source:target[:ro]}, runtime. */
    public record Docker(OptionalLong shmSize, List<String> mounts, Optional<String> runtime) {
        public Docker {
            mounts = List.copyOf(mounts);
        }
    }
}
