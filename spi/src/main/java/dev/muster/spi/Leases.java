package dev.muster.spi;

import dev.muster.model.Site;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Who drives which site. Kept beside the jobs, so that {@link JobStore#compareAndSet(dev.muster.model.JobRecord, java.util.List, Lease)}
 * can check a lease and change a job in one commit. Time is told by the database alone; a holder that wants to know how long its
 * lease lasts measures from before it asked. Any thread may call; every call is durable when it returns, and fails with
 * {@link JobStore.StoreException}, after which nothing is known of what was done.
 */
public interface Leases {
    /**
     * Takes the site, unless the lease of another lasts. Whoever takes it, be it its former holder, gets a higher generation than
     * there ever was; what the lease before would still have written is refused from then on.
     *
     * @param holder the replica, under a name that no other living one has
     * @param lasts  how long it lasts from now on
     */
    Answer take(Site site, String holder, Duration lasts);

    /**
     * Makes the lease last that long from now on, also one that has run out and that nobody took since.
     *
     * @return false when the site was taken since; the lease is lost for good
     */
    boolean renew(Lease lease, Duration lasts);

    /** Ends the lease, so that others need not wait. Does nothing when the site was taken since. */
    void release(Lease lease);

    /**
     * Since when nobody drives the site though somebody did: its last lease ran out then, or was given back. Empty while one lasts, and where there never
     * was one.
     */
    Optional<Instant> ranOut(Site site);

    /** Answer to {@link #take}. */
    sealed interface Answer {
        /** It is held now. */
        record Taken(Lease lease) implements Answer {}

        /**
         * Another holds it.
         *
         * @param holder which replica
         * @param left   for how long still, unless it is renewed
         */
        record Held(String holder, Duration left) implements Answer {}
    }
}
