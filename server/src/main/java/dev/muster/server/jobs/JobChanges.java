package dev.muster.server.jobs;

import dev.muster.model.JobId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Wakes who follows a job when it changes, without polling. Many changes between two looks are one wake-up, so a slow follower holds
 * up nobody and no queue grows. Any thread may call.
 */
public final class JobChanges implements AutoCloseable {
    private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    /** The job has changed. Returns at once. */
    public void changed(JobId job) {
        for (Subscription subscription : subscriptions) {
            if (subscription.wanted.test(job)) {
                subscription.wake();
            }
        }
    }

    /**
     * Follows jobs.
     *
     * @param wanted asked at each change, by any thread, whether a change of the job is news
     */
    public Subscription of(Predicate<JobId> wanted) {
        Subscription subscription = new Subscription(wanted);
        subscriptions.add(subscription);
        return subscription;
    }

    /** Wakes all followers for the last time: the service stops. */
    @Override
    public void close() {
        closed = true;
        subscriptions.forEach(Subscription::wake);
    }

    /** Whether the service stops; a follower then leaves. */
    public boolean isClosed() {
        return closed;
    }

    /** One follower; used by one thread, and closed by it. */
    public final class Subscription implements AutoCloseable {
        private final Semaphore news = new Semaphore(0);
        private final Predicate<JobId> wanted;

        private Subscription(Predicate<JobId> wanted) {
            this.wanted = wanted;
        }

        private void wake() {
            if (news.availablePermits() == 0) {
                news.release();
            }
        }

        /**
         * Waits for a change since the last call, or since the subscription.
         *
         * @return false when none came in that time
         */
        public boolean await(Duration atMost) throws InterruptedException {
            boolean woken = closed || news.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS);
            news.drainPermits();
            return woken;
        }

        /** Whether a change came since the last call; waits for none. */
        public boolean came() {
            return news.drainPermits() > 0;
        }

        @Override
        public void close() {
            subscriptions.remove(this);
        }
    }
}
