package dev.muster.spi;

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
        /** The start is claimed, the program does not run yet. */
        record Starting() implements Seen {}

        /**
         * The program runs.
         *
         * @param pid       its process id on its host, where there is one
         * @param address   where its peers reach it
         * @param startedAt when it was started, by its host's clock
         * @param joined    whether what its plan's join asks for is seen now
         */
        record Running(OptionalLong pid, String address, Instant startedAt, boolean joined) implements Seen {}

        /**
         * It ended with a code.
         *
         * @param code        exit code, 128 + n for signal n; 126 and 127 when the program could not be run
         * @param outOfMemory whether kernel or runtime say that its memory limit ended it
         * @param startedAt   when it was started, empty when it never ran
         * @param endedAt     when it ended, by its host's clock
         * @param message     what the backend itself has to say, such as why it could not be run
         */
        record Ended(
                int code, boolean outOfMemory, Optional<Instant> startedAt, Instant endedAt, Optional<String> message)
                implements Seen {}

        /** It vanished without a code; nothing of it runs any more. */
        record Vanished(Optional<Instant> startedAt, String message) implements Seen {}
    }
}
