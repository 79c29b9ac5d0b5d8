package dev.muster.telemetry;

import dev.muster.model.Amount;
import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.model.RestartPolicy;
import dev.muster.spi.Clock;
import dev.muster.spi.JobFolders;
import dev.muster.spi.Telemetry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Telemetry over the files in the jobs' folders. One thread looks at all of them five times a second: asking a file for its size
 * costs a few microseconds, while being told of each write would cost a wake-up for each line a chatty process prints.
 */
public final class FileTelemetry implements Telemetry {
    private static final long APART_MILLIS = 200;
    private static final long HUNGRY_MILLIS = 10;
    private static final int MOST_POINTS = 50_000;
    private static final Duration POINTS_APART = Duration.ofSeconds(1);

    private final JobFolders folders;
    private final Clock clock;
    private final Outlet outlet;
    private final Map<JobId, FollowedJob> jobs = new ConcurrentHashMap<>();
    private final List<Consumer<JobId>> listeners = new CopyOnWriteArrayList<>();
    private final ReentrantLock reading = new ReentrantLock();
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 18);
    private volatile Instant handedOn = Instant.EPOCH;
    private volatile boolean closed;
    private volatile Thread thread;

    private FileTelemetry(JobFolders folders, Clock clock, Outlet outlet) {
        this.folders = folders;
        this.clock = clock;
        this.outlet = outlet;
    }

    /**
     * Begins to look at files.
     *
     * @param clock  gives each time that is told or stored
     * @param outlet takes points of metrics and remarks
     */
    public static FileTelemetry start(JobFolders folders, Clock clock, Outlet outlet) {
        FileTelemetry telemetry = stepped(folders, clock, outlet);
        telemetry.thread = Thread.ofPlatform().name("muster-telemetry").daemon().start(telemetry::run);
        return telemetry;
    }

    /** One that only looks when {@link #step} is called. */
    static FileTelemetry stepped(JobFolders folders, Clock clock, Outlet outlet) {
        return new FileTelemetry(folders, clock, outlet);
    }

    private void run() {
        while (!closed) {
            boolean hungry = false;
            try {
                hungry = step();
            } catch (RuntimeException fault) {
                // One fault must not end telemetry for all jobs.
                Thread.currentThread().getUncaughtExceptionHandler().uncaughtException(Thread.currentThread(), fault);
            }
            try {
                Thread.sleep(hungry ? HUNGRY_MILLIS : APART_MILLIS);
            } catch (InterruptedException wakeUp) {
                // Only close() interrupts.
            }
        }
    }

    /** Looks once at everything that is followed; true when more may be waiting than was read. */
    boolean step() {
        Instant now = clock.now();
        boolean hungry = false;
        boolean handOn = !now.isBefore(handedOn.plus(POINTS_APART));
        for (Map.Entry<JobId, FollowedJob> job : jobs.entrySet()) {
            hungry |= look(job.getKey(), job.getValue(), now, handOn);
        }
        if (handOn) {
            handedOn = now;
        }
        return hungry;
    }

    private boolean look(JobId id, FollowedJob job, Instant now, boolean handOn) {
        boolean changed = false;
        boolean hungry = false;
        for (FollowedAttempt attempt : attempts(job)) {
            reading.lock();
            try {
                changed |= attempt.read(buffer, now);
                hungry |= attempt.hungry();
                boolean due = attempt.saveIsDue(now);
                if ((due || handOn) && handOn(attempt) && due) {
                    attempt.save(now);
                }
            } catch (IOException | RuntimeException failed) {
                attempt.remark("what it says cannot be read now: " + failed, now);
            } finally {
                reading.unlock();
            }
        }
        if (job.publishIsDue(changed, now)) {
            publish(id, job, now);
        }
        return hungry;
    }

    private List<FollowedAttempt> attempts(FollowedJob job) {
        reading.lock();
        try {
            return List.copyOf(job.attempts());
        } finally {
            reading.unlock();
        }
    }

    private void publish(JobId id, FollowedJob job, Instant now) {
        reading.lock();
        try {
            job.publish(now);
        } finally {
            reading.unlock();
        }
        for (Consumer<JobId> listener : listeners) {
            listener.accept(id);
        }
    }

    /** Hands on the points of the attempt; false when they could not be taken. */
    private boolean handOn(FollowedAttempt attempt) {
        if (attempt.points().isEmpty()) {
            return true;
        }
        try {
            outlet.points(attempt.key().job(), List.copyOf(attempt.points()));
            attempt.points().clear();
            return true;
        } catch (RuntimeException later) {
            int many = attempt.points().size() - MOST_POINTS;
            if (many > 0) {
                attempt.points().subList(0, many).clear();
                outlet.remark(
                        attempt.key(),
                        Amount.of(many, "point", "points") + " of metrics lost, as they could not be stored: " + later);
            }
            return false;
        }
    }

    @Override
    public void follow(ProcessKey key, boolean chief) {
        reading.lock();
        try {
            FollowedJob job = jobs.computeIfAbsent(key.job(), id -> new FollowedJob(id, folders));
            if (job.attempt(key).isEmpty()) {
                FollowedAttempt attempt = new FollowedAttempt(key, chief, folders, text -> outlet.remark(key, text));
                job.add(attempt);
                attempt.begin(clock.now());
                job.publish(clock.now());
            }
        } catch (IOException failed) {
            outlet.remark(key, "what it says cannot be read: " + failed);
        } finally {
            reading.unlock();
        }
    }

    @Override
    public void finish(ProcessKey key) {
        FollowedJob job = jobs.get(key.job());
        if (job == null) {
            return;
        }
        reading.lock();
        try {
            FollowedAttempt attempt = job.attempt(key).orElse(null);
            if (attempt == null || attempt.over()) {
                return;
            }
            Instant now = clock.now();
            attempt.finish(buffer, now);
            handOn(attempt);
            attempt.save(now);
        } catch (IOException | RuntimeException failed) {
            outlet.remark(key, "the end of what it said cannot be read: " + failed);
        } finally {
            reading.unlock();
        }
        publish(key.job(), job, clock.now());
    }

    @Override
    public Signs signs(JobId job) {
        FollowedJob followed = jobs.get(job);
        return followed == null ? Signs.NONE : followed.signs();
    }

    @Override
    public LogFindings examine(ProcessKey key, List<RestartPolicy.Rule> rules) {
        return new LogExamination(text -> outlet.remark(key, text)).of(folders.log(key), rules);
    }

    @Override
    public void listen(Consumer<JobId> changed) {
        listeners.add(changed);
    }

    @Override
    public void forget(JobId job) {
        FollowedJob followed = jobs.remove(job);
        if (followed != null) {
            end(followed);
        }
    }

    private void end(FollowedJob job) {
        reading.lock();
        try {
            for (FollowedAttempt attempt : job.attempts()) {
                if (handOn(attempt)) {
                    attempt.save(clock.now());
                }
                attempt.close();
            }
        } catch (IOException ignored) {
            // A file of state that is a little old costs nothing but reading again.
        } finally {
            reading.unlock();
        }
    }

    @Override
    public void close() {
        closed = true;
        Thread running = thread;
        if (running != null) {
            running.interrupt();
            try {
                running.join();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        jobs.values().forEach(this::end);
        jobs.clear();
    }
}
