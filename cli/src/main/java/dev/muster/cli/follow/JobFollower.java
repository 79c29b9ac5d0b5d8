package dev.muster.cli.follow;

import dev.muster.cli.client.Api;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** Follows a job by the feeds asked for and hands out what they see, one after the other. */
public final class JobFollower implements AutoCloseable {
    private static final int MOST_WAITING = 4096;

    private final BlockingQueue<Sight> sights = new ArrayBlockingQueue<>(MOST_WAITING);
    private final List<Thread> threads = new ArrayList<>();

    /** Begins to follow. */
    public JobFollower(Api api, String job, Set<Feed.Kind> feeds) {
        this(api, job, feeds, Optional.empty(), true);
    }

    /**
     * @param process whose output; all processes' when empty
     * @param local   whether the service runs on this machine
     */
    public JobFollower(Api api, String job, Set<Feed.Kind> feeds, Optional<String> process, boolean local) {
        for (Feed.Kind kind : feeds) {
            Feed feed = switch (kind) {
                case JOB -> new JobFeed(api, job, this::put);
                case EVENTS -> new EventFeed(api, job, this::put);
                case OUTPUT -> new OutputFeed(api, job, process, local, this::put);
            };
            Thread thread = new Thread(feed, "follow " + kind);
            thread.setDaemon(true);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
    }

    /** What is seen next; empty when nothing was for so long. */
    public Optional<Sight> next(Duration atMost) throws InterruptedException {
        return Optional.ofNullable(sights.poll(atMost.toNanos(), TimeUnit.NANOSECONDS));
    }

    private void put(Sight sight) {
        try {
            sights.put(sight);
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops following; a thread that waits for the service ends with the process. */
    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
    }
}
