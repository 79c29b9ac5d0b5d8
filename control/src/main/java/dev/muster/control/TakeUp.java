package dev.muster.control;

import dev.muster.model.JobId;
import dev.muster.spi.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Knows when every job that a starting service found has been looked at once. Any thread may call. */
final class TakeUp {
    private final Clock clock;
    private final Monitor monitor;
    private final Set<JobId> left = ConcurrentHashMap.newKeySet();
    private volatile Instant begun = Instant.MIN;
    private volatile int all;

    TakeUp(Clock clock, Monitor monitor) {
        this.clock = clock;
        this.monitor = monitor;
    }

    void begin() {
        begun = clock.now();
    }

    /** These were found. */
    void found(Collection<JobId> jobs) {
        left.addAll(jobs);
        all = jobs.size();
    }

    /** The job was looked at and what follows was done. */
    void done(JobId job) {
        if (!left.isEmpty() && left.remove(job) && left.isEmpty()) {
            monitor.tookUp(all, Duration.between(begun, clock.now()));
        }
    }
}
