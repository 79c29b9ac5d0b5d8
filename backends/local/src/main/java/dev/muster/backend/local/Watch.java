package dev.muster.backend.local;

import dev.muster.model.JobId;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One thread that tells when something about a job may have changed. It sleeps while nothing runs, looks every second for killed shims
 * while something does, and every 75 ms only while somebody has to save or was started a moment ago and has to join; the longer that takes,
 * the less often it looks. Shims and {@link #attend} end its sleep.
 */
final class Watch implements AutoCloseable {
    private static final Duration SOON = Duration.ofMillis(75);
    /** Which part of the time somebody takes to join may go by until it is seen. */
    private static final int PART = 100;

    private static final Duration RUNNING = Duration.ofSeconds(1);
    private static final Duration IDLE = Duration.ofMinutes(10);

    private final EventFolder events;
    private final Supplier<Collection<LocalAttempt>> attempts;
    private final Proc proc;
    private final List<Consumer<JobId>> listeners = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private volatile boolean idle = true;
    private volatile boolean closed;

    /**
     * Begins to watch.
     *
     * @param attempts those that are not over, as far as is known
     */
    Watch(EventFolder events, Supplier<Collection<LocalAttempt>> attempts, Proc proc) {
        this.events = events;
        this.attempts = attempts;
        this.proc = proc;
        thread = Thread.ofPlatform().daemon().name("local-backend-watch").unstarted(this::run);
        thread.start();
    }

    void add(Consumer<JobId> listener) {
        listeners.add(listener);
    }

    /** There are attempts to look at that no shim will tell of, since an earlier service started them. */
    void attend() throws IOException {
        if (idle) {
            events.wake();
        }
    }

    /** Events come by the thousand when many processes start; all attempts are looked at no more often for that. */
    private void run() {
        long looked = System.nanoTime();
        while (!closed) {
            try {
                idle = true;
                Duration pause = pause();
                idle = pause.equals(IDLE);
                Set<JobId> changed = new HashSet<>(events.await(left(pause, looked)));
                if (!left(pause, looked).isPositive()) {
                    looked = System.nanoTime();
                    look(changed);
                }
                changed.forEach(this::tell);
            } catch (InterruptedException | ClosedWatchServiceException ended) {
                return;
            }
        }
    }

    /** What is left of a pause that began with the last look. */
    private static Duration left(Duration pause, long looked) {
        Duration left = pause.minusNanos(System.nanoTime() - looked);
        return left.isNegative() ? Duration.ZERO : left;
    }

    void tell(JobId job) {
        if (closed) {
            return;
        }
        for (Consumer<JobId> listener : listeners) {
            try {
                listener.accept(job);
            } catch (RuntimeException ofListener) {
                // One listener's fault must not end the watch of every job.
                Thread current = Thread.currentThread();
                current.getUncaughtExceptionHandler().uncaughtException(current, ofListener);
            }
        }
    }

    private Duration pause() {
        Duration pause = IDLE;
        for (LocalAttempt attempt : attempts.get()) {
            if (attempt.isSaving()) {
                return SOON;
            }
            Duration next = attempt.joiningFor().map(Watch::pauseOfJoining).orElse(RUNNING);
            pause = next.compareTo(pause) < 0 ? next : pause;
        }
        return pause;
    }

    /** The pause while somebody has been joining for so long: short at first, then a hundredth of it, a second at most. */
    static Duration pauseOfJoining(Duration time) {
        Duration part = time.dividedBy(PART);
        return part.compareTo(SOON) < 0 ? SOON : part.compareTo(RUNNING) > 0 ? RUNNING : part;
    }

    private void look(Set<JobId> changed) {
        JoinProbe sockets = null;
        for (LocalAttempt attempt : attempts.get()) {
            try {
                if (attempt.isJoining()) {
                    sockets = sockets == null ? new JoinProbe(proc) : sockets;
                    if (attempt.probe(sockets)) {
                        changed.add(attempt.key().job());
                    }
                }
                if (attempt.isShimGone() || attempt.isSaving()) {
                    changed.add(attempt.key().job());
                }
            } catch (IOException | RuntimeException unreadable) {
                // The observation that follows says what is wrong.
                changed.add(attempt.key().job());
            }
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        events.close();
        thread.interrupt();
    }
}
