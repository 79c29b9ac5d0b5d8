package dev.muster.control.schedule;

import dev.muster.control.schedule.Waiting.Shape;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * Walks one queue in the order of service: higher priority, then the user with the smaller share, then first come, first served. Shares are
 * read again for whoever was served. Reads only as far as it is asked to.
 */
final class QueueCursor {
    private final Iterator<Map<String, Map<Shape, TreeSet<Waiting>>>> levels;
    private final ToDoubleFunction<String> share;
    private final PriorityQueue<User> users = new PriorityQueue<>(
            Comparator.comparingDouble((User user) -> user.share).thenComparing(User::next, Waiting.BY_TIME));

    /** @param share of a user of this queue, as it is when called */
    QueueCursor(Map<Integer, Map<String, Map<Shape, TreeSet<Waiting>>>> byPriority, ToDoubleFunction<String> share) {
        this.levels = byPriority.values().iterator();
        this.share = share;
        fill();
    }

    /** Whose turn it is. */
    Optional<Waiting> peek() {
        return Optional.ofNullable(users.peek()).map(User::next);
    }

    /** It was served. */
    void served() {
        User user = users.poll();
        user.advance();
        back(user);
    }

    /** It does not fit, and so none of its shape does. */
    void refused() {
        User user = users.poll();
        user.shapes.poll();
        back(user);
    }

    private void back(User user) {
        if (!user.shapes.isEmpty()) {
            user.share = share.applyAsDouble(user.name);
            users.add(user);
        }
        fill();
    }

    private void fill() {
        while (users.isEmpty() && levels.hasNext()) {
            levels.next()
                    .forEach((name, shapes) -> users.add(new User(name, share.applyAsDouble(name), shapes.values())));
        }
    }

    private static final class User {
        final String name;
        final PriorityQueue<Line> shapes = new PriorityQueue<>(Comparator.comparing(Line::first, Waiting.BY_TIME));
        double share;

        User(String name, double share, Collection<TreeSet<Waiting>> lines) {
            this.name = name;
            this.share = share;
            lines.forEach(line -> shapes.add(new Line(line.iterator())));
        }

        Waiting next() {
            return shapes.element().first();
        }

        void advance() {
            Line line = shapes.poll();
            if (line.rest.hasNext()) {
                shapes.add(new Line(line.rest));
            }
        }
    }

    /** Jobs of one shape; the first is taken out of the rest. */
    private record Line(Waiting first, Iterator<Waiting> rest) {
        Line(Iterator<Waiting> jobs) {
            this(jobs.next(), jobs);
        }
    }
}
