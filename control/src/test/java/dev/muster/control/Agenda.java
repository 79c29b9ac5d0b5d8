package dev.muster.control;

import dev.muster.testkit.FakeClock;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/** The one queue of all that is going to happen, in the order of virtual time. What comes at the same moment comes in the order it was put. */
final class Agenda {
    private final FakeClock clock;
    private final PriorityQueue<Entry> entries =
            new PriorityQueue<>(Comparator.comparing(Entry::at).thenComparingLong(Entry::order));
    private long order;

    private record Entry(Instant at, long order, BooleanSupplier action) {}

    Agenda(FakeClock clock) {
        this.clock = clock;
    }

    void at(Instant at, Runnable action) {
        entries.add(new Entry(at, order++, () -> {
            action.run();
            return true;
        }));
    }

    /** The same, unless it turns out then that nothing is to be done: the action answers whether anything was. */
    void perhaps(Instant at, BooleanSupplier action) {
        entries.add(new Entry(at, order++, action));
    }

    /** Goes on to the next that happens; false when nothing will. */
    boolean next() {
        while (!entries.isEmpty()) {
            Entry entry = entries.poll();
            clock.advanceTo(entry.at());
            if (entry.action().getAsBoolean()) {
                return true;
            }
        }
        return false;
    }
}
