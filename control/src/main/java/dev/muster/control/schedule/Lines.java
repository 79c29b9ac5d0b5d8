package dev.muster.control.schedule;

import dev.muster.control.schedule.Waiting.Shape;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Who waits, laid out so that a pass reads only as far as it needs: by queue, priority, user and shape, each shape in the order of time.
 * Single-threaded.
 */
final class Lines {
    private final Map<String, NavigableMap<Integer, Map<String, Map<Shape, TreeSet<Waiting>>>>> queues =
            new TreeMap<>();
    private final Map<String, Integer> counts = new HashMap<>();

    void add(Waiting job) {
        Claim claim = job.claim();
        queues.computeIfAbsent(claim.queue(), name -> new TreeMap<>(Comparator.reverseOrder()))
                .computeIfAbsent(claim.priority(), level -> new HashMap<>())
                .computeIfAbsent(claim.user(), name -> new HashMap<>())
                .computeIfAbsent(job.shape(), shape -> new TreeSet<>(Waiting.BY_TIME))
                .add(job);
        counts.merge(claim.queue(), 1, Integer::sum);
    }

    void remove(Waiting job) {
        Claim claim = job.claim();
        NavigableMap<Integer, Map<String, Map<Shape, TreeSet<Waiting>>>> levels = queues.get(claim.queue());
        Map<String, Map<Shape, TreeSet<Waiting>>> users = levels.get(claim.priority());
        Map<Shape, TreeSet<Waiting>> shapes = users.get(claim.user());
        TreeSet<Waiting> jobs = shapes.get(job.shape());
        jobs.remove(job);
        if (jobs.isEmpty()) {
            shapes.remove(job.shape());
        }
        if (shapes.isEmpty()) {
            users.remove(claim.user());
        }
        if (users.isEmpty()) {
            levels.remove(claim.priority());
        }
        if (levels.isEmpty()) {
            queues.remove(claim.queue());
        }
        counts.computeIfPresent(claim.queue(), (name, count) -> count == 1 ? null : count - 1);
    }

    /** Queues somebody waits in. */
    Set<String> queues() {
        return queues.keySet();
    }

    /** Those who wait in a queue, highest priority first. */
    NavigableMap<Integer, Map<String, Map<Shape, TreeSet<Waiting>>>> of(String queue) {
        return queues.getOrDefault(queue, new TreeMap<>());
    }

    int count(String queue) {
        return counts.getOrDefault(queue, 0);
    }
}
