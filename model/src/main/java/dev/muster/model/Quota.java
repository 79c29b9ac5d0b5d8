package dev.muster.model;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * An upper bound for each thing that jobs share; what is absent is not bounded.
 *
 * @param processes   processes
 * @param milliCpus   thousandths of a core
 * @param memoryBytes bytes
 * @param gpus        whole GPUs
 */
public record Quota(OptionalInt processes, OptionalLong milliCpus, OptionalLong memoryBytes, OptionalInt gpus) {
    /** Bounds nothing. */
    public static final Quota NONE =
            new Quota(OptionalInt.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalInt.empty());

    public Quota {
        Texts.require(
                processes.orElse(0) >= 0
                        && milliCpus.orElse(0) >= 0
                        && memoryBytes.orElse(0) >= 0
                        && gpus.orElse(0) >= 0,
                "a bound is 0 or more");
    }

    /** Whether nothing is bounded. */
    public boolean isEmpty() {
        return equals(NONE);
    }

    /** The bound as an amount, with {@code otherwise} for each thing that is not bounded. */
    public Capacity orElse(Capacity otherwise) {
        return new Capacity(
                processes.orElse(otherwise.processes()),
                milliCpus.orElse(otherwise.milliCpus()),
                memoryBytes.orElse(otherwise.memoryBytes()),
                gpus.orElse(otherwise.gpus()));
    }

    /** Whether a use of so much keeps every bound. */
    public boolean allows(Capacity used) {
        return used.processes() <= processes.orElse(Integer.MAX_VALUE)
                && used.milliCpus() <= milliCpus.orElse(Long.MAX_VALUE)
                && used.memoryBytes() <= memoryBytes.orElse(Long.MAX_VALUE)
                && used.gpus() <= gpus.orElse(Integer.MAX_VALUE);
    }
}
