package dev.muster.control;

import java.time.Duration;
import java.util.Optional;

/**
 * Which of the services over one store this is.
 *
 * @param id    a name that no other living replica has; better the same after a restart, as who comes back under its name need not wait
 *     for its own lease to run out
 * @param host  where processes of a backend live that reaches only its own host; empty for the embedded service
 * @param lease how long a site stays this replica's without being renewed; after that long another takes over from a dead one
 */
public record ThisReplica(String id, Optional<String> host, Duration lease) {
    private static final Duration SHORTEST = Duration.ofSeconds(3);

    /** The embedded service: the lock of its home has made sure that it is alone. */
    public static final ThisReplica ALONE = new ThisReplica("alone", Optional.empty(), Duration.ofDays(3650));

    public ThisReplica {
        if (id.isBlank()) {
            throw new IllegalArgumentException("a replica has a name");
        }
        if (lease.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException("a lease lasts 3 s at least, not " + lease);
        }
    }

    /** A renewal is sent when a third of the time has passed, so that two may fail. */
    Duration renewal() {
        return lease.dividedBy(3);
    }

    /** Nothing is begun in the last part of a lease: a sixth of it, at least a second, which is also what clocks may differ by. */
    Duration margin() {
        Duration sixth = lease.dividedBy(6);
        return sixth.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : sixth;
    }
}
