package dev.muster.server.jobs;

import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.spi.JobStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;

/** Waits for jobs to end. */
public final class JobEnds {
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);

    private final JobStore store;
    private final JobChanges changes;

    public JobEnds(JobStore store, JobChanges changes) {
        this.store = store;
        this.changes = changes;
    }

    /** Returns when the job is final or gone. Its grace time bounds the wait once it was cancelled. */
    public void await(JobId job) throws IOException {
        try (JobChanges.Subscription news = changes.of(job::equals)) {
            while (store.find(job)
                    .map(JobRecord::state)
                    .filter(state -> !state.isFinal())
                    .isPresent()) {
                if (changes.isClosed()) {
                    throw new IOException("the service stops");
                }
                news.await(LOOK_AGAIN);
            }
        } catch (InterruptedException stopping) {
            throw new InterruptedIOException("the service stops");
        }
    }
}
