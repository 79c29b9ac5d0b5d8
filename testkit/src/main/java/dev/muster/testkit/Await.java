package dev.muster.testkit;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Waits for a condition with a bound: the only way a test waits. */
public final class Await {
    private static final long PAUSE_MILLIS = 5;

    private Await() {}

    /**
     * Returns once the condition holds.
     *
     * @param what   the condition in words, for the failure
     * @param within the bound
     */
    public static void until(String what, Duration within, Callable<Boolean> condition) {
        value(what, within, () -> condition.call() ? Optional.of(true) : Optional.empty());
    }

    /** Returns the value once there is one. */
    public static <T> T value(String what, Duration within, Callable<Optional<T>> value) {
        long begun = System.nanoTime();
        while (true) {
            try {
                Optional<T> found = value.call();
                if (found.isPresent()) {
                    return found.get();
                }
                if (System.nanoTime() - begun > within.toNanos()) {
                    throw new AssertionError("not within " + within.toMillis() + " ms: " + what);
                }
                Thread.sleep(PAUSE_MILLIS);
            } catch (RuntimeException unexpected) {
                throw unexpected;
            } catch (Exception unexpected) {
                throw new AssertionError("while waiting for: " + what, unexpected);
            }
        }
    }
}
