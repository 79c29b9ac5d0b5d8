package dev.muster.model;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What happens with checkpoints.
 *
 * @param keep  how many whole ones are kept, empty for all; never fewer than one
 * @param every how often the script should save, given to it as a hint
 * @param from  job id, job name or path whose newest whole checkpoint the first attempt starts from; only read
 */
public record CheckpointPolicy(OptionalInt keep, Optional<Duration> every, Optional<String> from) {
    public static final CheckpointPolicy DEFAULT =
            new CheckpointPolicy(OptionalInt.empty(), Optional.empty(), Optional.empty());

    public CheckpointPolicy {
        Texts.require(keep.orElse(1) >= 1, "checkpoints.keep is all or at least 1");
    }
}
