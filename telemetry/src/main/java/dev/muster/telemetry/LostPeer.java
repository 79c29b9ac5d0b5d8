package dev.muster.telemetry;

import java.util.List;

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
            "coordination service");

    private LostPeer() {}

    static boolean isToldIn(List<String> lastLines) {
        return lastLines.stream().anyMatch(line -> WORDS.stream().anyMatch(line::contains));
    }
}
