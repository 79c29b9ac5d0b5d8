package dev.muster.model;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What one worker, or other member of a role, asks for and is limited to; an absent value asks for nothing and is limited by nothing.
 *
 * @param milliCpus   thousandths of a core
 * @param memoryBytes bytes
 * @param gpusAsked   whole GPUs, given exclusively; 0 hides all, absent hides none
 */
public record Resources(OptionalInt milliCpus, OptionalLong memoryBytes, OptionalInt gpusAsked) {
    public static final Resources NONE = new Resources(OptionalInt.empty(), OptionalLong.empty(), OptionalInt.empty());

    public Resources {
        Texts.require(milliCpus.orElse(1) > 0, "cpus is more than 0");
        Texts.require(memoryBytes.orElse(1) > 0, "memory is more than 0");
        Texts.require(gpusAsked.orElse(0) >= 0, "gpus is 0 or more");
    }

    /** With that many GPUs asked for, 0 too. */
    public Resources(OptionalInt milliCpus, OptionalLong memoryBytes, int gpus) {
        this(milliCpus, memoryBytes, OptionalInt.of(gpus));
    }

    /** How many GPUs are given. */
    public int gpus() {
        return gpusAsked.orElse(0);
    }

    /**
     * What each of several processes that make up the worker is limited to: an equal part of cpus and memory. GPUs are not divided, as each
     * process sees all of its worker's.
     */
    public Resources part(int processes) {
        return new Resources(
                milliCpus.isPresent()
                        ? OptionalInt.of(Math.max(1, milliCpus.getAsInt() / processes))
                        : OptionalInt.empty(),
                memoryBytes.isPresent()
                        ? OptionalLong.of(Math.max(1, memoryBytes.getAsLong() / processes))
                        : OptionalLong.empty(),
                gpusAsked);
    }
}
