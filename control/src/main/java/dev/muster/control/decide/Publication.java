package dev.muster.control.decide;

import dev.muster.model.Cause;
import dev.muster.model.ModelVersion;
import java.time.Instant;
import java.util.Optional;

/** How far the registration of the job's model is. */
public sealed interface Publication {
    /** Not begun, or begun by a service that is no more. */
    record None() implements Publication {}

    record Working() implements Publication {}

    /** The version is visible. */
    record Done(ModelVersion version) implements Publication {}

    /**
     * It could not be registered.
     *
     * @param retryAt when it is tried again; empty when it is not
     */
    record Failed(Cause cause, String reason, Optional<Instant> retryAt) implements Publication {}
}
