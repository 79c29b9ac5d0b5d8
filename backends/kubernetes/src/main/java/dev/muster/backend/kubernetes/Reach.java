package dev.muster.backend.kubernetes;

import dev.muster.model.Cause;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * In which nodes' pods the API server can run no commands, as it happens where a kubelet or the way to it is down. Once some pods of a node in a row could
 * not be reached, one of them at a time is tried, less and less often, and the others wait: each try costs the API server a connection that hangs, and
 * there may be hundreds of pods on a node. One that is reached opens the node for all.
 */
final class Reach {
    /** One pod alone may have a fault of its own. */
    private static final int IN_A_ROW = 3;

    private static final long FIRST_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long LONGEST_NANOS = Duration.ofSeconds(8).toNanos();

    /** Of a node that is gone nobody tells. */
    private static final long FORGOTTEN_NANOS = Duration.ofMinutes(10).toNanos();

    private static final class Away {
        private final Set<String> pods = new HashSet<>();
        private long failedNanos;
        private long pauseNanos = FIRST_NANOS;
        private long triedNanos;
    }

    private final LongSupplier nanos;
    private final Map<String, Away> away = new HashMap<>();

    Reach() {
        this(System::nanoTime);
    }

    /** @param nanos a clock that only moves on, in nanoseconds */
    Reach(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** The way into one pod. */
    Way into(String pod, Supplier<Optional<String>> node) {
        return new Way(pod, node);
    }

    /** The way into one pod, which a command asks and tells. */
    final class Way {
        private final String pod;
        private final Supplier<Optional<String>> node;

        private Way(String pod, Supplier<Optional<String>> node) {
            this.pod = pod;
            this.node = node;
        }

        /** @throws BackendException where it is not this pod's turn to be tried */
        void check() throws BackendException {
            Optional<String> name = node.get();
            if (name.isPresent() && !mayTry(name.get())) {
                throw new BackendException(
                        Kind.NO_CONTACT,
                        Cause.INTERNAL,
                        "the API server does not reach the containers of node " + name.get() + ", so pod " + pod
                                + " waits until one of its pods is reached (look at its kubelet, and at the way to it)");
            }
        }

        void worked() {
            node.get().ifPresent(name -> reached(name));
        }

        void failed() {
            node.get().ifPresent(name -> notReached(name, pod));
        }
    }

    private synchronized boolean mayTry(String node) {
        Away state = away.get(node);
        if (state == null || state.pods.size() < IN_A_ROW) {
            return true;
        }
        if (nanos.getAsLong() - state.triedNanos < state.pauseNanos) {
            return false;
        }
        state.triedNanos = nanos.getAsLong();
        return true;
    }

    private synchronized void reached(String node) {
        away.remove(node);
    }

    private synchronized void notReached(String node, String pod) {
        long now = nanos.getAsLong();
        away.values().removeIf(state -> now - state.failedNanos > FORGOTTEN_NANOS);
        Away state = away.computeIfAbsent(node, name -> new Away());
        state.failedNanos = now;
        if (state.pods.size() < IN_A_ROW) {
            state.pods.add(pod);
        } else {
            state.pauseNanos = Math.min(2 * state.pauseNanos, LONGEST_NANOS);
        }
        state.triedNanos = now;
    }
}
