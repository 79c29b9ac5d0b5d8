package dev.muster.control;

import dev.muster.model.JobRecord;
import dev.muster.model.Site;
import dev.muster.spi.Clock;
import dev.muster.spi.Leases;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Jobs of sites that this replica does not reach and whose replica has fallen silent or was stopped: nobody follows them, and what is stored of them may be old. Any
 * thread may call.
 */
final class Unattended {
    /** A page of jobs asks once a site. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    private final Leases leases;
    private final Clock clock;
    private final Sites sites;
    private final Map<Site, Look> looks = new ConcurrentHashMap<>();

    private record Look(Instant at, Optional<Instant> since) {}

    Unattended(Leases leases, Clock clock, Sites sites) {
        this.leases = leases;
        this.clock = clock;
        this.sites = sites;
    }

    /** Since when nobody follows the job; empty of one that has ended, and where this replica may follow it. */
    Optional<Instant> since(JobRecord job) {
        Site site = Site.of(job);
        if (job.state().isFinal() || sites.reaches(site)) {
            return Optional.empty();
        }
        Instant now = clock.now();
        return looks.compute(
                        site,
                        (key, look) -> look != null && now.isBefore(look.at().plus(FRESH))
                                ? look
                                : new Look(now, leases.ranOut(site)))
                .since();
    }
}
