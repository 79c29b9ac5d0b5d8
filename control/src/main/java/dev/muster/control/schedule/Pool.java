package dev.muster.control.schedule;

import dev.muster.model.BackendKind;

/** What a job has to fit into: its backend, and what its queue may hold. */
sealed interface Pool {
    record OfBackend(BackendKind backend) implements Pool {}

    record OfQueue(String queue) implements Pool {}

    /** Whether the job draws on it. */
    default boolean serves(Claim claim) {
        return switch (this) {
            case OfBackend of -> of.backend() == claim.backend();
            case OfQueue of -> of.queue().equals(claim.queue());
        };
    }
}
