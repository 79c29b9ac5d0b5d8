package dev.muster.control.schedule;

import dev.muster.model.JobId;
import java.time.Duration;
import java.time.Instant;

/**
 * Room that is kept for the first job that does not fit. Those who started before it will end some day; those who start after it may take only
 * what it leaves, so that it starts at the latest when the former have ended.
 *
 * @param holder for whom
 * @param since  since when
 * @param after  the number of the last job that was admitted before it was made
 * @param urgent whether others were asked to make room for it: from then on all that becomes free is kept for it
 */
record Reservation(Claim holder, Instant since, long after, boolean urgent) {
    /** How long others may pass its holder; then all that becomes free is kept for it, and it goes first. */
    static final Duration PATIENCE = Duration.ofMinutes(10);

    boolean isOf(JobId job) {
        return holder.id().equals(job);
    }

    boolean firm(Instant now) {
        return urgent || !now.isBefore(firmAt());
    }

    Instant firmAt() {
        return since.plus(PATIENCE);
    }

    Reservation asUrgent() {
        return new Reservation(holder, since, after, true);
    }
}
