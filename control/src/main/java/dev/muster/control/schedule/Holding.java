package dev.muster.control.schedule;

import dev.muster.model.JobId;
import java.time.Instant;
import java.util.Optional;

/**
 * A job that holds capacity.
 *
 * @param claim      what it holds
 * @param order      its number in the order of admission
 * @param going      whether it gives it back soon: it is being stopped, or its training is over
 * @param returnedAt when it came back from the queue, for one that had run or been admitted before; empty in its first run
 * @param endsBy     when its deadline ends it at the latest; empty without one
 */
public record Holding(Claim claim, long order, boolean going, Optional<Instant> returnedAt, Optional<Instant> endsBy) {
    public JobId id() {
        return claim.id();
    }
}
