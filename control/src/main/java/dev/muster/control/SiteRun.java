package dev.muster.control;

import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.Site;
import dev.muster.spi.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes sites and keeps them: the jobs of one that was taken are taken up, those of one that was lost are dropped, with all that was
 * known of them. Never runs twice at once.
 */
final class SiteRun {
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final Ports ports;
    private final Surroundings surroundings;
    private final Reconciler reconciler;

    /** Sites that are held and whose jobs could not be read yet. */
    private final List<Lease> unread = new ArrayList<>();

    SiteRun(Ports ports, Surroundings surroundings, Reconciler reconciler) {
        this.ports = ports;
        this.surroundings = surroundings;
        this.reconciler = reconciler;
    }

    /** Goes round once; answers when to go again. */
    Instant run() {
        Sites.Round round = reconciler.sites().round();
        round.lost().forEach(this::drop);
        round.resumed().forEach(lease -> reconciler.cells().of(lease).forEach(reconciler::wake));
        unread.addAll(round.taken());
        unread.removeIf(lease -> !reconciler.sites().holds(lease));
        if (unread.isEmpty()) {
            return round.next();
        }
        try {
            takeUp(unread);
            unread.forEach(reconciler.sites()::known);
            unread.clear();
            reconciler.admitAt(Instant.MIN);
            return round.next();
        } catch (RuntimeException e) {
            surroundings.monitor().retrying("reading the jobs of " + unread, e);
            Instant again = surroundings.clock().now().plus(RETRY);
            return again.isBefore(round.next()) ? again : round.next();
        }
    }

    private void takeUp(List<Lease> leases) {
        ports.store().latestTime().ifPresent(surroundings.clock()::notBefore);
        List<Site> sites = leases.stream().map(Lease::site).toList();
        for (JobRecord job : ports.store().live()) {
            if (!sites.contains(Site.of(job))) {
                continue;
            }
            try {
                reconciler.adopt(job);
            } catch (RuntimeException e) {
                surroundings.monitor().retrying("taking up job " + job.id(), e);
            }
        }
    }

    /** Nothing is known any more of the jobs of a site that another has. */
    void drop(Lease lease) {
        for (JobId id : reconciler.cells().of(lease)) {
            reconciler.forget(id, lease);
        }
    }
}
