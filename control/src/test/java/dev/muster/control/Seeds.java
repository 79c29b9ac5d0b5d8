package dev.muster.control;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** A range of seeds, run on several threads. The first that fails is cut down and told. */
final class Seeds {
    private final long last;
    private final AtomicLong next;
    private final AtomicReference<Long> failed = new AtomicReference<>();
    private final Map<String, Integer> ends = new TreeMap<>();

    Seeds(long first, long count) {
        next = new AtomicLong(first);
        last = first + count - 1;
    }

    /** How often each step and each end was reached by all seeds; an {@link AssertionError} tells of one that failed. */
    Map<String, Integer> run(int threads) {
        List<Thread> running = new ArrayList<>();
        for (int number = 0; number < threads; number++) {
            running.add(Thread.ofPlatform().name("seeds-" + number).start(this::work));
        }
        for (Thread thread : running) {
            try {
                thread.join();
            } catch (InterruptedException stopped) {
                running.forEach(Thread::interrupt);
                throw new AssertionError("interrupted", stopped);
            }
        }
        if (failed.get() != null) {
            throw new AssertionError(new Shrinker(failed.get()).told());
        }
        return ends;
    }

    private void work() {
        Map<String, Integer> mine = new TreeMap<>();
        for (long seed = next.getAndIncrement();
                seed <= last && failed.get() == null && !Thread.currentThread().isInterrupted();
                seed = next.getAndIncrement()) {
            Simulation simulation = Simulation.of(seed);
            if (Shrinker.failure(simulation).isPresent()) {
                failed.compareAndSet(null, seed);
                return;
            }
            simulation.ends().forEach((end, count) -> mine.merge(end, count, Integer::sum));
        }
        synchronized (ends) {
            mine.forEach((end, count) -> ends.merge(end, count, Integer::sum));
        }
    }

    /** The seed that failed. */
    Optional<Long> failed() {
        return Optional.ofNullable(failed.get());
    }
}
