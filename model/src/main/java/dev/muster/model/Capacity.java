package dev.muster.model;

/**
 * An amount of what jobs share, either a backend's whole or what a job takes.
 *
 * @param processes   processes
 * @param milliCpus   thousandths of a core
 * @param memoryBytes bytes
 * @param gpus        whole GPUs
 */
public record Capacity(int processes, long milliCpus, long memoryBytes, int gpus) {
    public static final Capacity ZERO = new Capacity(0, 0, 0, 0);

    public Capacity plus(Capacity other) {
        return new Capacity(
                processes + other.processes,
                milliCpus + other.milliCpus,
                memoryBytes + other.memoryBytes,
                gpus + other.gpus);
    }

    public Capacity minus(Capacity other) {
        return new Capacity(
                processes - other.processes,
                milliCpus - other.milliCpus,
                memoryBytes - other.memoryBytes,
                gpus - other.gpus);
    }

    /** Whether this amount can be taken from {@code available}. */
    public boolean fitsIn(Capacity available) {
        return processes <= available.processes
                && milliCpus <= available.milliCpus
                && memoryBytes <= available.memoryBytes
                && gpus <= available.gpus;
    }
}
