package dev.muster.control;

import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.Keep;
import dev.muster.model.Site;
import dev.muster.spi.BackendException;
import dev.muster.spi.JobStore;
import dev.muster.spi.JobStore.Cursor;
import dev.muster.spi.JobStore.Listing;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Lets go of logs and records of ended jobs when {@code keep.logs} and {@code keep.records} have passed, and of Python environments that
 * no job has used for long.
 */
final class Retention {
    private static final Duration PERIOD = Duration.ofHours(1);
    private static final int PAGE = 200;
    private static final Set<JobState> ENDED = EnumSet.of(JobState.SUCCEEDED, JobState.FAILED, JobState.CANCELLED);

    private final Ports ports;
    private final Surroundings surroundings;
    private final Removal removal;
    private final UnusedEnvironments environments;
    private final Sites sites;
    private Instant lastRun = Instant.MIN;
    private Instant lastLook = Instant.MIN;
    private boolean started;

    Retention(Ports ports, Surroundings surroundings, Removal removal, Sites sites) {
        this.ports = ports;
        this.surroundings = surroundings;
        this.removal = removal;
        this.environments = new UnusedEnvironments(ports, surroundings);
        this.sites = sites;
    }

    /**
     * Goes through the ended jobs, at most once an hour. Not the first time it is asked: at its start a service has better things to do than to
     * read all that ever ended.
     */
    void run() {
        Instant now = surroundings.clock().now();
        if (isDue(lastRun, now)) {
            lastRun = now;
            environments.remove();
        }
        if (started && isDue(lastLook, now)) {
            lastLook = now;
            lookAtEnded(now);
        }
        started = true;
    }

    private static boolean isDue(Instant last, Instant now) {
        return last.equals(Instant.MIN) || !now.isBefore(last.plus(PERIOD));
    }

    private void lookAtEnded(Instant now) {
        Optional<Listing> page = Optional.of(page(Optional.empty()));
        while (page.isPresent()) {
            page.get().jobs().forEach(job -> look(job, now));
            page = page.get().next().map(last -> page(Optional.of(last)));
        }
    }

    private Listing page(Optional<Cursor> before) {
        return ports.store().list(new JobStore.Query(ENDED, Optional.empty(), before, PAGE));
    }

    private void look(JobRecord job, Instant now) {
        if (sites.lease(Site.of(job)).isEmpty()) {
            return; // its files and objects are another replica's to remove
        }
        Keep longest = surroundings.longest();
        try {
            if (passed(job, job.spec().keep().records(), longest.records(), now)) {
                removal.delete(job);
            } else if (passed(job, job.spec().keep().logs(), longest.logs(), now)) {
                surroundings.files().removeLogs(job.id());
            }
        } catch (IOException | BackendException | RuntimeException e) {
            surroundings.monitor().retrying("removing what is no longer kept of job " + job.id(), e);
        }
    }

    /** Whether the shorter of the two has passed since the job's end. */
    private static boolean passed(JobRecord job, Optional<Duration> keep, Optional<Duration> longest, Instant now) {
        Optional<Duration> kept = Stream.concat(keep.stream(), longest.stream()).min(Comparator.naturalOrder());
        return kept.isPresent()
                && job.times().finishedAt().isPresent()
                && !now.isBefore(job.times().finishedAt().get().plus(kept.get()));
    }
}
