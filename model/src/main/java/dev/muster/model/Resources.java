package dev.muster.model;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What one process asks for and is limited to; an absent value asks for nothing and is limited by nothing.
 *
 * @param milliCpus   thousandths of a core
 * @param memoryBytes bytes
 * @param gpus        whole GPUs, given exclusively
 */
public record Resources(OptionalInt milliCpus, OptionalLong memoryBytes, int gpus) {
    public static final Resources NONE = new Resources(OptionalInt.empty(), OptionalLong.empty(), 0);

    public Resources {
        Texts.require(milliCpus.orElse(1) > 0, "cpus is more than 0");
        Texts.require(memoryBytes.orElse(1) > 0, "memory is more than 0");
        Texts.require(gpus >= 0, "gpus is 0 or more");
    }
}
