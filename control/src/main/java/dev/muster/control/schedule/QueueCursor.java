package dev.muster.control.schedule;

import dev.muster.control.schedule.Lines.Line;
import dev.muster.control.schedule.Waiting.Shape;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.ToDoubleFunction;

/**
 * Walks one queue in the order of service: higher priority, then the user with the smaller share, then first come, first served. Shares are
 * read again for whoever was served. Reads only as far as it is asked to.
 */
final class QueueCursor {
    private final Iterator<Map<String, Line>> levels;
    private final ToDoubleFunction<String> share;
    private final PriorityQueue<User> users = new PriorityQueue<>(
            Comparator.comparingDouble((User user) -> user.share).thenComparing(user -> user.next, Waiting.BY_TIME));

    /** @param share of a user of this queue, as it is when called */
    QueueCursor(Map<Integer, Map<String, Line>> byPriority, ToDoubleFunction<String> share) {
        this.levels = byPriority.values().iterator();
        this.share = share;
        fill();
    }

    /** Whose turn it is. */
    Optional<Waiting> peek() {
        return Optional.ofNullable(users.peek()).map(user -> user.next);
    }

    /** It was served. */
    void served() {
        User user = users.poll();
        if (user.served()) {
            user.share = share.applyAsDouble(user.name);
            users.add(user);
        }
        fill();
    }

    /** It does not fit, and so none of its shape does. */
    void refused() {
        User user = users.poll();
        if (user.refused()) {
            users.add(user);
        }
        fill();
    }

    private void fill() {
        while (users.isEmpty() && levels.hasNext()) {
            levels.next().forEach((name, line) -> users.add(new User(name, share.applyAsDouble(name), line)));
        }
    }

    /** One user's jobs. They are read by time until one is refused, and by shape from then on. */
    private static final class User {
        final String name;
        double share;
        Waiting next;
        private final Line line;
        private final Iterator<Waiting> byTime;
        private Optional<PriorityQueue<Alike>> byShape = Optional.empty();

        User(String name, double share, Line line) {
            this.name = name;
            this.share = share;
            this.line = line;
            this.byTime = line.byTime().iterator();
            this.next = byTime.next();
        }

        /** Goes on to the next; false when there is none. */
        boolean served() {
            if (byShape.isPresent()) {
                Alike alike = byShape.get().poll();
                if (alike.rest.hasNext()) {
                    byShape.get().add(new Alike(alike.rest));
                }
                return first();
            }
            boolean more = byTime.hasNext();
            next = more ? byTime.next() : next;
            return more;
        }

        /** Leaves out the shape of the next; false when no other is left. */
        boolean refused() {
            if (byShape.isEmpty()) {
                byShape = Optional.of(rest(next.shape()));
            } else {
                byShape.get().poll();
            }
            return first();
        }

        private boolean first() {
            boolean more = !byShape.orElseThrow().isEmpty();
            next = more ? byShape.get().element().first : next;
            return more;
        }

        private PriorityQueue<Alike> rest(Shape butFor) {
            PriorityQueue<Alike> rest = new PriorityQueue<>(Comparator.comparing(Alike::first, Waiting.BY_TIME));
            line.byShape().forEach((shape, jobs) -> {
                if (!shape.equals(butFor)) {
                    // Whoever was served came before all others.
                    Iterator<Waiting> left = jobs.tailSet(next).iterator();
                    if (left.hasNext()) {
                        rest.add(new Alike(left));
                    }
                }
            });
            return rest;
        }
    }

    /** Jobs of one shape; the first is taken out of the rest. */
    private record Alike(Waiting first, Iterator<Waiting> rest) {
        Alike(Iterator<Waiting> jobs) {
            this(jobs.next(), jobs);
        }
    }
}
