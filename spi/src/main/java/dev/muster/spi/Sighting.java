package dev.muster.spi;

import dev.muster.model.Cause;
import dev.muster.model.ProcessKey;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a backend sees of one attempt.
 *
 * @param key   which attempt
 * @param state what became of it
 */
public record Sighting(ProcessKey key, Seen state) {

    /** What became of an attempt. An attempt that was never started has no sighting. */
    public sealed interface Seen {
        /** What is wrong around a process though it runs, and what can be done: one sentence; empty of one that does not run. */
        default Optional<String> trouble() {
            return Optional.empty();
        }

        /**
         * The start is claimed, the program does not run yet.
         *
         * @param hold what keeps it from running, where the backend knows: an image that is pulled again, no node with room
         */
        record Starting(Optional<Hold> hold) implements Seen {
            /** Nothing is known to keep it from running. */
            public Starting() {
                this(Optional.empty());
            }
        }

        /**
         * The program runs.
         *
         * @param pid       its process id on its host, where there is one
         * @param address   where its peers reach it
         * @param startedAt when it was started, by its host's clock
         * @param joined    whether what its plan's join asks for is seen now
         * @param trouble   what is wrong around it though it runs, and what can be done: one sentence; empty where nothing is known
         */
        record Running(OptionalLong pid, String address, Instant startedAt, boolean joined, Optional<String> trouble)
                implements Seen {
            /** One of which nothing is known to be wrong. */
            public Running(OptionalLong pid, String address, Instant startedAt, boolean joined) {
                this(pid, address, startedAt, joined, Optional.empty());
            }

            /** The same with what is wrong around it. */
            public Running with(String wrong) {
                return new Running(pid, address, startedAt, joined, Optional.of(wrong));
            }
        }

        /**
         * It ended with a code.
         *
         * @param code        exit code, 128 + n for signal n; 126 and 127 when the program could not be run
         * @param outOfMemory whether kernel or runtime say that its memory limit ended it
         * @param pid         its process id on its host, where that is on record
         * @param startedAt   when it was started, by its host's clock, empty when it never ran
         * @param endedAt     when it ended, by its host's clock
         * @param cause       what brought the end about where the backend knows that it was not the program: Preempted, NodeLost; outranks what
         *     the code says
         * @param message     what the backend itself has to say, such as why it could not be run
         */
        record Ended(
                int code,
                boolean outOfMemory,
                OptionalLong pid,
                Optional<Instant> startedAt,
                Instant endedAt,
                Optional<Cause> cause,
                Optional<String> message)
                implements Seen {
            /** An end of which the backend knows neither a process id nor a cause. */
            public Ended(
                    int code,
                    boolean outOfMemory,
                    Optional<Instant> startedAt,
                    Instant endedAt,
                    Optional<String> message) {
                this(code, outOfMemory, OptionalLong.empty(), startedAt, endedAt, Optional.empty(), message);
            }
        }

        /**
         * It is over without a code, or will never run; nothing of it runs any more.
         *
         * @param cause Lost where nothing is known, NodeLost with its node, Preempted; ImageMissing or Unschedulable for one that
         *     could never be started
         */
        record Vanished(Optional<Instant> startedAt, Cause cause, String message) implements Seen {
            /** One of which nothing is known. */
            public Vanished(Optional<Instant> startedAt, String message) {
                this(startedAt, Cause.LOST, message);
            }
        }
    }

    /**
     * What keeps an attempt from running, shown to the user while it lasts.
     *
     * @param cause   the cause of the job's failure should it last until startDeadline
     * @param message one sentence in the backend's own words
     */
    public record Hold(Cause cause, String message) {}
}
