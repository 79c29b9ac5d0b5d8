package dev.muster.control;

import dev.muster.control.schedule.Board;
import dev.muster.spi.JobStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Keeps what users held in the past over restarts: noted in the store once a minute while it changes, and at a clean stop. Between two
 * notes nothing is lost of what is still held when the next service looks. Not for several threads at once.
 */
final class PastNotes {
    private static final Duration APART = Duration.ofMinutes(1);

    private final JobStore store;
    private final Surroundings surroundings;
    private final Board board;
    private final String name;
    private Optional<String> noted = Optional.empty();
    private Instant at = Instant.MIN;

    PastNotes(JobStore store, Surroundings surroundings, Board board) {
        this.store = store;
        this.surroundings = surroundings;
        this.board = board;
        this.name = "past-use@" + surroundings.replica().id();
    }

    /** Has the board go on from the last note; does nothing once that was read. */
    void resume() {
        if (noted.isEmpty()) {
            try {
                String last = store.note(name).orElse("");
                board.resumePast(last);
                noted = Optional.of(last);
                at = surroundings.clock().now();
            } catch (RuntimeException e) {
                surroundings.monitor().retrying("reading what users held in the past", e);
            }
        }
    }

    /** Notes it down when that is due. */
    void note() {
        if (!surroundings.clock().now().isBefore(at.plus(APART))) {
            noteNow();
        }
    }

    /** Notes it down. One that was never read is not replaced. */
    void noteNow() {
        String text = board.past();
        if (noted.isEmpty() || noted.get().equals(text)) {
            return;
        }
        try {
            at = surroundings.clock().now();
            store.note(name, text);
            noted = Optional.of(text);
        } catch (RuntimeException e) {
            surroundings.monitor().retrying("noting what users held in the past", e);
        }
    }
}
