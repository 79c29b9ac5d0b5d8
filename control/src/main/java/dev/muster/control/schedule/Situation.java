package dev.muster.control.schedule;

import dev.muster.model.BackendKind;
import dev.muster.model.Capacity;
import dev.muster.model.Queues;
import java.time.Instant;
import java.util.Map;

/**
 * All that a pass of the scheduler decides from. Nothing of it changes while one goes on.
 *
 * @param queues       as configured
 * @param whole        everything there is on each backend
 * @param waiting      who waits
 * @param holdings     who holds capacity
 * @param past         what users have held before
 * @param reservations room that is kept
 * @param admissions   how many were admitted so far
 * @param now          the time
 */
record Situation(
        Queues queues,
        Map<BackendKind, Capacity> whole,
        Lines waiting,
        Holdings holdings,
        PastUse past,
        Map<Pool, Reservation> reservations,
        long admissions,
        Instant now) {
    Situation {
        whole = Map.copyOf(whole);
        reservations = Map.copyOf(reservations);
    }
}
