package dev.muster.control;

import dev.muster.spi.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** All threads of the control plane: one that waits for work, and a virtual one for each piece of it. */
public final class ControlThreads implements AutoCloseable {
    private static final int AT_ONCE = 64;
    private static final Duration LONGEST_SLEEP = Duration.ofSeconds(1);
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(10);

    private final Reconciler reconciler;
    private final Clock clock;
    private final Semaphore free = new Semaphore(AT_ONCE);
    private final Thread dispatcher =
            Thread.ofPlatform().daemon().name("muster-control").unstarted(this::dispatch);
    private volatile boolean closed;

    /** @param ports what is driven; its backends and telemetry are not closed by this */
    public ControlThreads(Ports ports, Surroundings surroundings) {
        this.clock = surroundings.clock();
        this.reconciler = new Reconciler(ports, surroundings, this::news, AtOnce::onThreads);
    }

    public Reconciler reconciler() {
        return reconciler;
    }

    /** Takes up every live job and begins. */
    public void start() {
        reconciler.start();
        dispatcher.start();
    }

    private void news() {
        LockSupport.unpark(dispatcher);
    }

    private void dispatch() {
        while (!closed) {
            free.acquireUninterruptibly();
            Optional<Runnable> work = reconciler.takeWork();
            if (work.isPresent()) {
                Thread.ofVirtual().name("muster-control-work").start(() -> {
                    try {
                        work.get().run();
                    } finally {
                        free.release();
                    }
                });
            } else {
                free.release();
                sleep();
            }
        }
    }

    private void sleep() {
        Optional<Instant> next = reconciler.nextWork();
        if (next.equals(Optional.of(Instant.MIN))) {
            return;
        }
        long nanos = LONGEST_SLEEP.toNanos();
        if (next.isPresent() && next.get().isBefore(clock.now().plus(LONGEST_SLEEP))) {
            nanos = Duration.between(clock.now(), next.get()).toNanos();
        }
        if (nanos > 0) {
            LockSupport.parkNanos(nanos);
        }
    }

    /**
     * Ends after what runs now, which is waited for a little; jobs are left as they are, and the next service goes on with them. Work that
     * hangs, say in a call of a backend, is left behind as it would be by kill -9; then the leases are left to run out.
     */
    @Override
    public void close() {
        closed = true;
        news();
        try {
            if (free.tryAcquire(AT_ONCE, LONGEST_CLOSE.toSeconds(), TimeUnit.SECONDS)) {
                free.release(AT_ONCE);
                reconciler.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
