package dev.muster.control.schedule;

import dev.muster.control.schedule.Waiting.Shape;
import dev.muster.model.BackendKind;
import dev.muster.model.Capacity;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Who waits, laid out so that a pass reads only as far as it needs: by queue, priority and user, and the jobs of each in the order of time and
 * by shape. Single-threaded.
 */
final class Lines {
    private final Map<String, NavigableMap<Integer, Map<String, Line>>> queues = new TreeMap<>();
    private final Map<BackendKind, Smallest> smallest = new EnumMap<>(BackendKind.class);

    /** Jobs of one user and priority in a queue. */
    static final class Line {
        private final TreeSet<Waiting> byTime = new TreeSet<>(Waiting.BY_TIME);
        private final Map<Shape, TreeSet<Waiting>> byShape = new HashMap<>();

        private Line() {}

        Set<Waiting> byTime() {
            return Collections.unmodifiableSet(byTime);
        }

        Set<String> projects() {
            return byTime.stream().map(job -> job.claim().project()).collect(Collectors.toSet());
        }

        Waiting first() {
            return byTime.first();
        }

        /** The jobs of each shape, in the order of time. */
        Map<Shape, TreeSet<Waiting>> byShape() {
            return Collections.unmodifiableMap(byShape);
        }

        private void add(Waiting job) {
            byTime.add(job);
            byShape.computeIfAbsent(job.shape(), shape -> new TreeSet<>(Waiting.BY_TIME))
                    .add(job);
        }

        private void remove(Waiting job) {
            byTime.remove(job);
            TreeSet<Waiting> alike = byShape.get(job.shape());
            alike.remove(job);
            if (alike.isEmpty()) {
                byShape.remove(job.shape());
            }
        }
    }

    void add(Waiting job) {
        Claim claim = job.claim();
        queues.computeIfAbsent(claim.queue(), name -> new TreeMap<>(Comparator.reverseOrder()))
                .computeIfAbsent(claim.priority(), level -> new HashMap<>())
                .computeIfAbsent(claim.user(), name -> new Line())
                .add(job);
        smallest.computeIfAbsent(claim.backend(), backend -> new Smallest()).add(claim.demand());
    }

    void remove(Waiting job) {
        Claim claim = job.claim();
        NavigableMap<Integer, Map<String, Line>> levels = queues.get(claim.queue());
        Map<String, Line> users = levels.get(claim.priority());
        Line line = users.get(claim.user());
        line.remove(job);
        if (line.byTime.isEmpty()) {
            users.remove(claim.user());
        }
        if (users.isEmpty()) {
            levels.remove(claim.priority());
        }
        if (levels.isEmpty()) {
            queues.remove(claim.queue());
        }
        smallest.get(claim.backend()).remove(claim.demand());
    }

    /** Queues somebody waits in. */
    Set<String> queues() {
        return queues.keySet();
    }

    /** Those who wait in a queue, by user, highest priority first. */
    NavigableMap<Integer, Map<String, Line>> of(String queue) {
        return queues.getOrDefault(queue, new TreeMap<>());
    }

    /** Of each thing no more than anybody who waits for the backend asks for. */
    Capacity least(BackendKind backend) {
        Smallest of = smallest.get(backend);
        return of == null ? Capacity.ZERO : of.least();
    }
}
