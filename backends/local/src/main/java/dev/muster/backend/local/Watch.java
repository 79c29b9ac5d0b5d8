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
 * while something does, and every 75 ms only while somebody has to join or to save. Shims and {@link EventFolder#wake} end its sleep.
 */
final class Watch implements AutoCloseable {
    private static final Duration JOINING = Duration.ofMillis(75);
    private static final Duration RUNNING = Duration.ofSeconds(1);
    private static final Duration IDLE = Duration.ofMinutes(10);

    private final EventFolder events;
    private final Supplier<Collection<LocalAttempt>> attempts;
    private final Proc proc;
    private final List<Consumer<JobId>> listeners = new CopyOnWriteArrayList<>();
    private final Thread thread;
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

    private void run() {
        while (!closed) {
            try {
                Set<JobId> changed = new HashSet<>(events.await(pause()));
                look(changed);
                changed.forEach(this::tell);
            } catch (InterruptedException | ClosedWatchServiceException ended) {
                return;
            }
        }
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
            if (attempt.isJoining() || attempt.isSaving()) {
                return JOINING;
            }
            pause = RUNNING;
        }
        return pause;
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
