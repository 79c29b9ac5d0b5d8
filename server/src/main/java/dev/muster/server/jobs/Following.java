package dev.muster.server.jobs;

import dev.muster.model.JobId;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;

/** Follows a job for a client: sends what is new, waits for a change, and again until the job is final. */
final class Following {
    /** Between two sends: many changes in this time are one. */
    static final Duration PAUSE = Duration.ofMillis(100);
    /** After so long without a change something empty is sent, so that a client that is gone is noticed. */
    static final Duration HEARTBEAT = Duration.ofSeconds(30);

    /** How often to look at what changes by itself. */
    static final Duration LOOK = Duration.ofMillis(500);

    private static final int LOOKS_A_HEARTBEAT = 50;

    private final JobChanges changes;

    Following(JobChanges changes) {
        this.changes = changes;
    }

    /** What is sent of a job. */
    interface Source {
        /**
         * Sends what is new.
         *
         * @return false when all is sent that will ever be
         */
        boolean sendNews() throws IOException;

        /** Whether a change of any other job is news too. Any thread may ask. */
        default boolean wantsOthers() {
            return false;
        }

        /** Whether something is shown of whose changes nobody tells, as nothing of it is stored. */
        default boolean changesByItself() {
            return false;
        }

        /** Sends something that means nothing. */
        void sendHeartbeat() throws IOException;
    }

    /**
     * Returns when all is sent.
     *
     * @throws IOException when the client is gone, or the service stops
     */
    void follow(JobId job, Source source) throws IOException {
        try (JobChanges.Subscription news = changes.of(changed -> changed.equals(job) || source.wantsOthers())) {
            int looks = 0;
            while (source.sendNews()) {
                Thread.sleep(PAUSE);
                if (source.changesByItself()) {
                    looks = news.await(LOOK) ? 0 : looks + 1;
                    if (looks == LOOKS_A_HEARTBEAT) {
                        looks = 0;
                        source.sendHeartbeat();
                    }
                } else {
                    while (!news.await(HEARTBEAT)) {
                        source.sendHeartbeat();
                    }
                }
                if (changes.isClosed()) {
                    throw new IOException("the service stops");
                }
            }
        } catch (InterruptedException stopping) {
            throw new InterruptedIOException("the service stops");
        }
    }
}
