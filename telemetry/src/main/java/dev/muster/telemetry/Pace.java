package dev.muster.telemetry;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** How fast steps go by, over the last minutes, and from that how long the rest takes. */
final class Pace {
    private static final Duration APART = Duration.ofSeconds(2);
    private static final int MOST = 60;
    private final Deque<Mark> marks = new ArrayDeque<>();
    private Mark newest;

    /** A step and when it was seen. */
    private record Mark(Instant at, long step) {}

    /** Takes a step that was seen; one that is lower than before begins anew. */
    void step(Instant at, long step) {
        if (newest != null && step < newest.step()) {
            marks.clear();
        }
        newest = new Mark(at, step);
        if (marks.isEmpty() || !at.isBefore(marks.getLast().at().plus(APART))) {
            marks.addLast(newest);
            if (marks.size() > MOST) {
                marks.removeFirst();
            }
        }
    }

    /** Seconds until the total; empty while nothing can be said. */
    OptionalDouble secondsTo(OptionalLong total) {
        if (total.isEmpty() || marks.isEmpty()) {
            return OptionalDouble.empty();
        }
        Mark first = marks.getFirst();
        double seconds = Duration.between(first.at(), newest.at()).toNanos() / 1e9;
        long steps = newest.step() - first.step();
        long left = total.getAsLong() - newest.step();
        if (left <= 0) {
            return OptionalDouble.of(0);
        }
        return steps > 0 && seconds > 0 ? OptionalDouble.of(left * seconds / steps) : OptionalDouble.empty();
    }
}
