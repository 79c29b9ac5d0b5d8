package dev.muster.model;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The queues of a service by name. The queue {@link Queue#DEFAULT} is always there; it has no quota unless it is configured.
 */
public record Queues(Map<String, Queue> byName) {
    /** Only the queue {@link Queue#DEFAULT}, without quota. */
    public static final Queues STANDARD = new Queues(Map.of());

    public Queues {
        TreeMap<String, Queue> sorted = new TreeMap<>(byName);
        sorted.putIfAbsent(Queue.DEFAULT, Queue.named(Queue.DEFAULT));
        sorted.forEach((name, queue) ->
                Texts.require(name.equals(queue.name()), "queue " + queue.name() + " stands under the name " + name));
        byName = Collections.unmodifiableMap(sorted);
    }

    /** The queues of these names; the last of a name counts. */
    public static Queues of(Collection<Queue> queues) {
        Map<String, Queue> byName = new TreeMap<>();
        queues.forEach(queue -> byName.put(queue.name(), queue));
        return new Queues(byName);
    }

    /** The queue; one that is not configured (any more) has no quota, so that a job that waits in it is not lost. */
    public Queue get(String name) {
        Queue queue = byName.get(name);
        return queue == null ? Queue.named(name) : queue;
    }

    /** What is wrong with a job that names this queue; empty when it exists. */
    public Optional<Problem> unknown(String name) {
        if (byName.containsKey(name)) {
            return Optional.empty();
        }
        return Optional.of(new Problem(
                "queue",
                "there is no queue " + name + "; the queues are " + String.join(", ", byName.keySet()),
                Nearest.to(name, byName.keySet()).map(near -> "did you mean " + near + "?")));
    }

    /**
     * What is wrong with the settings of a queue beside each other, a problem for each.
     *
     * @param path of the queue in the configuration, such as {@code queues.research}
     */
    public static List<Problem> check(String path, Queue queue) {
        List<Problem> problems = new ArrayList<>();
        queue.borrow().ifPresent(borrow -> {
            if (queue.quota().isEmpty()) {
                problems.add(Problem.of(
                        path + ".borrow",
                        "a queue without quota takes what is idle as it is",
                        "remove borrow, or give the queue a quota"));
            }
            onlyWithQuota(
                    problems,
                    path,
                    "processes",
                    borrow.processes().isPresent(),
                    queue.quota().processes().isPresent());
            onlyWithQuota(
                    problems,
                    path,
                    "cpus",
                    borrow.milliCpus().isPresent(),
                    queue.quota().milliCpus().isPresent());
            onlyWithQuota(
                    problems,
                    path,
                    "memory",
                    borrow.memoryBytes().isPresent(),
                    queue.quota().memoryBytes().isPresent());
            onlyWithQuota(
                    problems,
                    path,
                    "gpus",
                    borrow.gpus().isPresent(),
                    queue.quota().gpus().isPresent());
        });
        return problems;
    }

    private static void onlyWithQuota(
            List<Problem> problems, String path, String field, boolean borrows, boolean quota) {
        if (borrows && !quota) {
            problems.add(Problem.of(
                    path + ".borrow." + field,
                    "borrowing is what goes beyond a quota, and the queue has no quota of " + field,
                    "add " + path + ".quota." + field));
        }
    }
}
