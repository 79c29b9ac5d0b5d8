package dev.muster.testkit;

import dev.muster.model.Site;
import dev.muster.spi.Clock;
import dev.muster.spi.Lease;
import dev.muster.spi.Leases;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Leases in memory that run out in virtual time. */
final class FakeLeases implements Leases {
    private final Map<Site, Held> held = new HashMap<>();
    private final Clock clock;
    private final Consumer<FakeJobStore.Call> before;

    private record Held(Lease lease, Instant until) {}

    FakeLeases(Clock clock, Consumer<FakeJobStore.Call> before) {
        this.clock = clock;
        this.before = before;
    }

    @Override
    public synchronized Answer take(Site site, String holder, Duration lasts) {
        before.accept(FakeJobStore.Call.LEASE);
        Instant now = clock.now();
        Held found = held.get(site);
        if (found != null
                && now.isBefore(found.until())
                && !found.lease().holder().equals(holder)) {
            return new Answer.Held(found.lease().holder(), Duration.between(now, found.until()));
        }
        long generation = found == null ? 1 : found.lease().generation() + 1;
        Lease lease = new Lease(site, holder, generation);
        held.put(site, new Held(lease, now.plus(lasts)));
        return new Answer.Taken(lease);
    }

    @Override
    public synchronized boolean renew(Lease lease, Duration lasts) {
        before.accept(FakeJobStore.Call.LEASE);
        if (!isOurs(lease)) {
            return false;
        }
        held.put(lease.site(), new Held(lease, clock.now().plus(lasts)));
        return true;
    }

    @Override
    public synchronized void release(Lease lease) {
        before.accept(FakeJobStore.Call.LEASE);
        Held found = held.get(lease.site());
        if (isOurs(lease) && clock.now().isBefore(found.until())) {
            held.put(lease.site(), new Held(lease, clock.now()));
        }
    }

    @Override
    public synchronized Optional<Instant> ranOut(Site site) {
        return Optional.ofNullable(held.get(site))
                .map(Held::until)
                .filter(until -> !clock.now().isBefore(until));
    }

    synchronized boolean isNewest(Lease lease) {
        Held found = held.get(lease.site());
        return found != null && found.lease().generation() == lease.generation();
    }

    /** Who has the site now; empty when nobody does, or when the lease has run out. */
    synchronized Optional<String> holder(Site site) {
        return Optional.ofNullable(held.get(site))
                .filter(found -> clock.now().isBefore(found.until()))
                .map(found -> found.lease().holder());
    }

    private boolean isOurs(Lease lease) {
        Held found = held.get(lease.site());
        return found != null && found.lease().equals(lease);
    }
}
