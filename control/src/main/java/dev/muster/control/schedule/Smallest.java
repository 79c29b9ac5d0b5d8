package dev.muster.control.schedule;

import dev.muster.model.Capacity;
import java.util.TreeMap;

/** The least of each thing in some amounts that come and go. Single-threaded. */
final class Smallest {
    private final TreeMap<Long, Integer> processes = new TreeMap<>();
    private final TreeMap<Long, Integer> milliCpus = new TreeMap<>();
    private final TreeMap<Long, Integer> memoryBytes = new TreeMap<>();
    private final TreeMap<Long, Integer> gpus = new TreeMap<>();

    void add(Capacity amount) {
        count(amount, 1);
    }

    void remove(Capacity amount) {
        count(amount, -1);
    }

    private void count(Capacity amount, int by) {
        count(processes, amount.processes(), by);
        count(milliCpus, amount.milliCpus(), by);
        count(memoryBytes, amount.memoryBytes(), by);
        count(gpus, amount.gpus(), by);
    }

    private static void count(TreeMap<Long, Integer> counts, long value, int by) {
        counts.merge(value, by, (one, other) -> one + other == 0 ? null : one + other);
    }

    /** 0 of everything when there is no amount. */
    Capacity least() {
        return processes.isEmpty()
                ? Capacity.ZERO
                : new Capacity(
                        processes.firstKey().intValue(),
                        milliCpus.firstKey(),
                        memoryBytes.firstKey(),
                        gpus.firstKey().intValue());
    }
}
