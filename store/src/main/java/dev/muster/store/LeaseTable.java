package dev.muster.store;

import dev.muster.model.Site;
import dev.muster.spi.Lease;
import dev.muster.spi.Leases;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Leases as rows. Whoever changes one locks its row in {@code lease_end} first and looks at {@code lease} after that, so it sees what
 * those before it have done. A step of a job shares the row in {@code lease}: taking the site waits for it, prolonging does not.
 */
final class LeaseTable implements Leases {
    private final Database database;
    private final String lock;
    private final String find;
    private final String prolong;
    private final String share;

    /** Sites whose lease was taken through this store. Where nobody else has the database open, whoever held another is dead. */
    private final Set<Site> takenHere = ConcurrentHashMap.newKeySet();

    LeaseTable(Database database) {
        this.database = database;
        Dialect dialect = database.dialect();
        this.lock = "select ends from lease_end where site = ?" + dialect.lock();
        this.find = "select holder, generation, ends - " + dialect.now() + " as remaining"
                + " from lease join lease_end on lease_end.site = lease.site where lease.site = ?";
        this.prolong = "update lease_end set ends = " + dialect.now() + " + ? where site = ?";
        this.share = "select generation from lease where site = ? and generation = ?" + dialect.share();
    }

    /** A lease as stored. */
    private record Found(String holder, long generation, long remaining) {}

    /** Whether the lease is the newest of its site, and stays so until this transaction has ended. */
    boolean isNewest(Session session, Lease lease) throws SQLException {
        return session.first(share, row -> 0, lease.site().text(), lease.generation())
                .isPresent();
    }

    @Override
    public Answer take(Site site, String holder, Duration lasts) {
        String name = site.text();
        return database.write(name, Room.KEPT, session -> {
            session.update(
                    "insert into lease (site, holder, generation) values (?, '', 0) on conflict do nothing", name);
            session.update("insert into lease_end (site, ends) values (?, 0) on conflict do nothing", name);
            Found found = locked(session, site).orElseThrow();
            boolean lives = database.dialect().shared() || takenHere.contains(site);
            if (lives && found.remaining() > 0 && !found.holder().equals(holder)) {
                return new Answer.Held(found.holder(), Duration.ofMillis(found.remaining()));
            }
            Lease lease = new Lease(site, holder, found.generation() + 1);
            session.update(
                    "update lease set holder = ?, generation = ? where site = ?", holder, lease.generation(), name);
            session.update(prolong, lasts.toMillis(), name);
            takenHere.add(site);
            return new Answer.Taken(lease);
        });
    }

    @Override
    public boolean renew(Lease lease, Duration lasts) {
        return database.write(lease.site().text(), Room.KEPT, session -> {
            boolean ours = isOurs(session, lease);
            if (ours) {
                session.update(prolong, lasts.toMillis(), lease.site().text());
            }
            return ours;
        });
    }

    @Override
    public void release(Lease lease) {
        database.write(lease.site().text(), Room.KEPT, session -> {
            if (isOurs(session, lease)) {
                String now = database.dialect().now();
                session.update(
                        "update lease_end set ends = " + now + " where site = ? and ends > " + now,
                        lease.site().text());
            }
            return null;
        });
    }

    @Override
    public Optional<Instant> ranOut(Site site) {
        return database.read(session -> session.first(
                "select ends from lease_end where site = ? and ends > 0 and ends <= "
                        + database.dialect().now(),
                row -> Instant.ofEpochMilli(row.number("ends")),
                site.text()));
    }

    private boolean isOurs(Session session, Lease lease) throws SQLException {
        return locked(session, lease.site())
                .filter(found -> found.generation() == lease.generation()
                        && found.holder().equals(lease.holder()))
                .isPresent();
    }

    private Optional<Found> locked(Session session, Site site) throws SQLException {
        session.first(lock, row -> 0, site.text());
        return session.first(
                find,
                row -> new Found(row.text("holder"), row.number("generation"), row.number("remaining")),
                site.text());
    }
}
