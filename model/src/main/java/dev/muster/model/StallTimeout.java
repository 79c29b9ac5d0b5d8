package dev.muster.model;

import java.time.Duration;

/** How long a job may be without progress. */
public sealed interface StallTimeout {
    /** So long, whatever its steps take. */
    record After(Duration bound) implements StallTimeout {}

    /** Many times what its steps usually take; no bound before enough of them were reported. */
    record Auto() implements StallTimeout {}
}
