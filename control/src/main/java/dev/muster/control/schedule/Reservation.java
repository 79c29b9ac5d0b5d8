package dev.muster.control.schedule;

import dev.muster.model.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Room that is kept for the first job that does not fit. Those who started before it will end some day; those who start after it may take only
 * what it leaves, so that it starts at the latest when the former have ended.
 *
 * @param holder    for whom
 * @param since     since when
 * @param after     the number of the last job that was admitted before it was made
 * @param urgent    whether others were asked to make room for it: from then on all that becomes free is kept for it
 * @param displaced the reservation whose place it took, which has it back afterwards with its age
 */
record Reservation(Claim holder, Instant since, long after, boolean urgent, Optional<Reservation> displaced) {
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

    /** This one and those that it displaced, whose room is kept just as well. */
    List<Reservation> all() {
        List<Reservation> all = new ArrayList<>();
        for (Optional<Reservation> next = Optional.of(this);
                next.isPresent();
                next = next.get().displaced()) {
            all.add(next.get());
        }
        return all;
    }

    Reservation asUrgent() {
        return new Reservation(holder, since, after, true, displaced);
    }

    /** What is left of it, and of what it displaced, for those who still wait. */
    Optional<Reservation> of(Predicate<Claim> waits) {
        Optional<Reservation> rest = displaced.flatMap(reservation -> reservation.of(waits));
        return waits.test(holder) ? Optional.of(new Reservation(holder, since, after, urgent, rest)) : rest;
    }

    Optional<Reservation> without(JobId job) {
        return of(claim -> !claim.id().equals(job));
    }
}
