package dev.muster.telemetry;

import java.util.List;
import java.util.Optional;

/**
 * Knows how frameworks say that a peer is gone: the end of such a process follows from that of another. It is a word of the log and no
 * proof, so it only decides who of several failed ones is named.
 */
final class LostPeer {
    private static final List<String> WORDS = List.of(
            // Gloo (gloo/transport/tcp/pair.cc) and the kernel's words in all others
            "Connection closed by peer",
            "Connection reset by peer",
            // PyTorch: TCPStore, NCCL (torch/csrc/distributed/c10d)
            "recvValue failed",
            "Broken pipe",
            "ncclRemoteError",
            "remote process exited or there was a network error",
            // TensorFlow (tensorflow/core/common_runtime/base_collective_executor.cc, gRPC)
            "Collective ops is aborted by",
            "Socket closed",
            // Horovod (horovod/common/exceptions.py), JAX (xla/tsl/distributed_runtime/coordination)
            "HorovodInternalError",
            "coordination service",
            // A worker of mpirun
            LostDaemon.WITHOUT,
            // A worker of an elastic PyTorch group (torchrun.py)
            "those of another worker failed too often");

    private LostPeer() {}

    /**
     * The lines up to the one that says it; empty where none does, or where an error of another kind follows. What follows else is advice
     * and places in a graph, as TensorFlow writes them.
     */
    static Optional<List<String>> toldIn(List<String> lastLines) {
        for (int at = lastLines.size() - 1; at >= 0; at--) {
            String line = lastLines.get(at);
            if (WORDS.stream().anyMatch(line::contains)) {
                return Optional.of(lastLines.subList(0, at + 1));
            }
            if (ErrorLine.is(line)) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }
}
