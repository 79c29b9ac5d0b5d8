package dev.muster.control;

import dev.muster.model.BackendKind;
import dev.muster.model.Site;
import dev.muster.spi.Lease;
import dev.muster.spi.Leases;
import dev.muster.spi.Leases.Answer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The leases of this replica on the sites it reaches. How long one lasts is told by this replica's clock, counted from before it was asked
 * for, so that it ends here before it ends in the database. Any thread may call.
 */
final class Sites {
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final Leases leases;
    private final Surroundings surroundings;
    private final ThisReplica self;
    private final List<Site> reached;
    private final Map<Site, Tenure> held = new HashMap<>();

    /** Leases whose jobs have all been taken up: only then is it known what they hold. */
    private final Set<Lease> known = new HashSet<>();

    /** A lease, when it was last asked for, and until when it lasts at least. */
    private record Tenure(Lease lease, Instant asked, Instant until) {}

    /**
     * What came of a round.
     *
     * @param taken   held from now on; nothing of the site is known yet
     * @param resumed held on, but for a while nothing could be done
     * @param lost    another's by now
     * @param next    when to go round again
     */
    record Round(List<Lease> taken, List<Lease> resumed, List<Lease> lost, Instant next) {}

    Sites(Leases leases, Surroundings surroundings, Collection<BackendKind> backends) {
        this.leases = leases;
        this.surroundings = surroundings;
        this.self = surroundings.replica();
        this.reached = backends.stream().sorted().map(this::siteOf).toList();
    }

    /** Where processes of the backend live as this replica reaches it. */
    Site siteOf(BackendKind backend) {
        return Site.of(backend, self.host());
    }

    /** Whether this replica could drive the site. */
    boolean reaches(Site site) {
        return reached.contains(site);
    }

    /** The lease under which this replica drives the site; empty when it is another's. */
    synchronized Optional<Lease> lease(Site site) {
        return Optional.ofNullable(held.get(site)).map(Tenure::lease);
    }

    /** Whether the lease has not been lost. It may have run out; what is stored under it is refused if another has the site. */
    synchronized boolean holds(Lease lease) {
        return lease(lease.site()).equals(Optional.of(lease));
    }

    /** Whether something may be begun outside the store. */
    synchronized boolean mayAct(Lease lease) {
        return holds(lease) && lasts(held.get(lease.site()), now());
    }

    /** All jobs of the site have been taken up. */
    synchronized void known(Lease lease) {
        if (holds(lease)) {
            known.add(lease);
        }
    }

    /** Whether it is known what is held of the site, so that more may be given. */
    synchronized boolean isKnown(Site site) {
        return lease(site).filter(known::contains).isPresent();
    }

    private boolean lasts(Tenure tenure, Instant now) {
        return now.isBefore(tenure.until().minus(self.margin()));
    }

    private Instant now() {
        return surroundings.clock().now();
    }

    /** The store has told that another has the site; false when that was known. */
    synchronized boolean lost(Lease lease) {
        boolean held = holds(lease);
        if (held) {
            this.held.remove(lease.site());
            known.remove(lease);
        }
        return held;
    }

    /** Renews what is due, and tries to take what is not held. One caller at a time. */
    Round round() {
        Round round = new Round(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), now().plus(self.renewal()));
        for (Site site : reached) {
            Instant next;
            try {
                next = attend(site, round);
            } catch (RuntimeException e) {
                surroundings.monitor().retrying("holding the lease on " + site, e);
                next = now().plus(RETRY);
            }
            if (next.isBefore(round.next())) {
                round = new Round(round.taken(), round.resumed(), round.lost(), next);
            }
        }
        return round;
    }

    /** Answers when to look at the site again. */
    private Instant attend(Site site, Round round) {
        Optional<Tenure> tenure = tenure(site);
        if (tenure.isEmpty()) {
            return take(site, round);
        }
        Instant due = tenure.get().asked().plus(self.renewal());
        return now().isBefore(due) ? due : renew(tenure.get(), round);
    }

    private synchronized Optional<Tenure> tenure(Site site) {
        return Optional.ofNullable(held.get(site));
    }

    private Instant take(Site site, Round round) {
        Instant asked = now();
        return switch (leases.take(site, self.id(), self.lease())) {
            case Answer.Taken taken -> {
                put(taken.lease(), asked);
                round.taken().add(taken.lease());
                yield asked.plus(self.renewal());
            }
            case Answer.Held other -> {
                Duration wait = other.left().compareTo(self.renewal()) < 0 ? other.left() : self.renewal();
                yield now().plus(wait).plusMillis(100);
            }
        };
    }

    private Instant renew(Tenure tenure, Round round) {
        Lease lease = tenure.lease();
        Instant asked = now();
        if (!leases.renew(lease, self.lease())) {
            if (lost(lease)) {
                round.lost().add(lease);
            }
            return now();
        }
        synchronized (this) {
            if (holds(lease)) {
                boolean paused = !lasts(tenure, now());
                put(lease, asked);
                if (paused) {
                    round.resumed().add(lease);
                }
            }
        }
        return asked.plus(self.renewal());
    }

    private synchronized void put(Lease lease, Instant asked) {
        held.put(lease.site(), new Tenure(lease, asked, asked.plus(self.lease())));
    }

    /** Lets others have what is held, at once. Nothing may be done any more. */
    void release() {
        List<Tenure> all;
        synchronized (this) {
            all = List.copyOf(held.values());
            held.clear();
        }
        for (Tenure tenure : all) {
            try {
                leases.release(tenure.lease());
            } catch (RuntimeException e) {
                surroundings
                        .monitor()
                        .retrying("giving back the lease on " + tenure.lease().site(), e);
            }
        }
    }
}
