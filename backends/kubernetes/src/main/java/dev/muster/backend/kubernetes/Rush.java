package dev.muster.backend.kubernetes;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Whether pods are being made, one after the other. What is carried into those that are there gives way meanwhile, for a moment: each command in a pod
 * costs a connection of its own, and the cluster can pull images and start containers of those that follow only once they are made.
 */
final class Rush {
    /** Between two pods of one rush there is less. */
    private static final long GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final LongSupplier nanos;
    private final AtomicInteger making = new AtomicInteger();
    private volatile long lastNanos;

    Rush() {
        this(System::nanoTime);
    }

    /** @param nanos a clock that only moves on, in nanoseconds */
    Rush(LongSupplier nanos) {
        this.nanos = nanos;
        lastNanos = nanos.getAsLong() - GAP_NANOS;
    }

    /** A pod is begun to be made. */
    void begins() {
        making.incrementAndGet();
    }

    /** It is there, or could not be made. */
    void ends() {
        lastNanos = nanos.getAsLong();
        making.decrementAndGet();
    }

    /** What waits for the end of a rush, but not for long. */
    final class Patience {
        private long sinceNanos;
        private boolean waits;

        /** Whether to wait still; asked again and again, by one thread. */
        boolean waits() {
            if (!isOn()) {
                waits = false;
                return false;
            }
            if (!waits) {
                waits = true;
                sinceNanos = nanos.getAsLong();
            }
            return nanos.getAsLong() - sinceNanos < LONGEST_NANOS;
        }
    }

    private boolean isOn() {
        return making.get() > 0 || nanos.getAsLong() - lastNanos < GAP_NANOS;
    }
}
