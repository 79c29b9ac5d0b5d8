package dev.muster.control.decide;

import dev.muster.model.Cause;
import dev.muster.model.Placement;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** How far the preparation of the current attempt of the group is. */
public sealed interface Preparation {
    /** Not begun, or begun by a service that is no more. */
    record None() implements Preparation {}

    /** Under way; the text says what is being done. */
    record Working(String text) implements Preparation {}

    /** All but the placement is there: {@link Effect.Prepare} takes it. */
    record Waiting() implements Preparation {}

    /**
     * Everything is there.
     *
     * @param placement  where the group lives
     * @param resumeFrom what the framework's restore takes; empty for a fresh start
     * @param warnings   which checkpoints were passed over and why
     */
    record Ready(Placement placement, Optional<String> resumeFrom, List<String> warnings) implements Preparation {
        public Ready {
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * Something on the way failed that says nothing of the job: Muster itself, or the way to the backend. It is begun again then.
     *
     * @param reason what failed
     */
    record Interrupted(Instant again, String reason) implements Preparation {}

    /**
     * It could not be done.
     *
     * @param retry whether a new attempt may work
     */
    record Failed(Cause cause, String reason, boolean retry) implements Preparation {}

    /** What is being done, or what it waits for; empty once there is nothing to wait for. */
    default Optional<String> activity() {
        return switch (this) {
            case Working working -> Optional.of(working.text());
            case Interrupted interrupted -> Optional.of("to be prepared again, for " + interrupted.reason());
            case None ignored -> Optional.empty();
            case Waiting ignored -> Optional.empty();
            case Ready ignored -> Optional.empty();
            case Failed ignored -> Optional.empty();
        };
    }
}
