package dev.muster.model;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A queue that jobs wait in, as its operator configured it. In a configuration file the components are the fields of
 * {@code queues.NAME}, with {@code processes, cpus, memory, gpus} below {@code quota} and {@code borrow}.
 *
 * @param name         DNS label of 1 to 63 characters, as jobs write it in {@code queue}
 * @param quota        what the jobs of this queue may hold at a time and what is theirs: others get it only on loan
 * @param borrow       how much beyond the quota they may hold while other queues leave theirs idle; absent = nothing, and a thing that it
 *     does not bound may be borrowed without bound. What the quota does not bound needs no borrowing
 * @param reclaim      whether a job within the quota that finds no room has jobs of queues preempted that hold more than theirs
 * @param weight       share of the room beside that of other queues, 1 to 1000
 * @param preempt      whether a waiting job that does not fit has jobs of lower priority in this queue preempted; otherwise it only goes first
 * @param preemptAfter how long a job that came back to run after it was preempted runs at least before it is preempted again
 */
public record Queue(
        String name,
        Quota quota,
        Optional<Quota> borrow,
        boolean reclaim,
        int weight,
        boolean preempt,
        Duration preemptAfter) {
    /** Where a job waits that names no queue. */
    public static final String DEFAULT = "default";

    public static final int HEAVIEST = 1000;
    public static final Duration PREEMPT_AFTER = Duration.ofMinutes(10);

    private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

    public Queue {
        Texts.require(
                NAME.matcher(name).matches(),
                "the name of a queue is a DNS label: 1 to 63 lower-case letters, digits or -, the first and last no -");
        Texts.require(weight >= 1 && weight <= HEAVIEST, "weight is 1 to " + HEAVIEST);
        Texts.require(!preemptAfter.isNegative(), "preemptAfter is 0 or more");
    }

    /** A queue without any setting: no quota, weight 1, no preemption. */
    public static Queue named(String name) {
        return new Queue(name, Quota.NONE, Optional.empty(), true, 1, false, PREEMPT_AFTER);
    }

    /** The most its jobs may hold at a time, whatever others leave idle; a thing that is not bounded has {@code otherwise}. */
    public Capacity most(Capacity otherwise) {
        Capacity own = quota.orElse(otherwise);
        if (borrow.isEmpty()) {
            return own;
        }
        Quota more = borrow.get();
        return new Capacity(
                sum(
                        quota.processes().isPresent() && more.processes().isPresent(),
                        own.processes(),
                        more.processes().orElse(0),
                        otherwise.processes()),
                sum(
                        quota.milliCpus().isPresent() && more.milliCpus().isPresent(),
                        own.milliCpus(),
                        more.milliCpus().orElse(0),
                        otherwise.milliCpus()),
                sum(
                        quota.memoryBytes().isPresent() && more.memoryBytes().isPresent(),
                        own.memoryBytes(),
                        more.memoryBytes().orElse(0),
                        otherwise.memoryBytes()),
                sum(
                        quota.gpus().isPresent() && more.gpus().isPresent(),
                        own.gpus(),
                        more.gpus().orElse(0),
                        otherwise.gpus()));
    }

    private static int sum(boolean bounded, int own, int more, int otherwise) {
        return bounded ? Math.addExact(own, more) : otherwise;
    }

    private static long sum(boolean bounded, long own, long more, long otherwise) {
        return bounded ? Math.addExact(own, more) : otherwise;
    }
}
