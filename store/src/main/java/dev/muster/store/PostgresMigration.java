package dev.muster.store;

import dev.muster.spi.JobStore.StoreException;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Brings the tables up to date by numbered scripts, forward only, all in one transaction that only one replica at a time is in. Replicas
 * of an older build that are at work meanwhile are to be stopped first: they would not know the new form.
 */
final class PostgresMigration {
    /** The version this build reads and writes: the number of the last script. */
    static final int NEWEST = 2;

    /** "MSTR". */
    private static final long LOCK = 0x4d535452;

    private PostgresMigration() {}

    /** @param database as it is shown */
    static void apply(Session session, String database) throws SQLException {
        if (version(session, database).equals(Optional.of((long) NEWEST))) {
            return;
        }
        session.execute("begin");
        // A script may take longer than any step of a job, and another replica's scripts are waited for.
        session.execute("set local statement_timeout = 0");
        session.execute("set local lock_timeout = 0");
        session.first("select pg_advisory_xact_lock(" + LOCK + ")", row -> 0);
        Optional<Long> version = version(session, database);
        if (version.isEmpty()) {
            session.execute("create table muster_form (version bigint not null)");
            session.execute("insert into muster_form (version) values (0)");
        }
        for (long next = version.orElse(0L) + 1; next <= NEWEST; next++) {
            for (String statement : Migration.script("postgres", next)) {
                session.execute(statement);
            }
        }
        session.update("update muster_form set version = ?", NEWEST);
        session.execute("commit");
    }

    /**
     * The version of the tables; empty for a database that is not ours yet.
     *
     * @throws StoreException when it is another program's, or a newer Muster's
     */
    static Optional<Long> version(Session session, String database) throws SQLException {
        if (!isThere(session, "muster_form")) {
            if (isThere(session, "job")) {
                throw new StoreException(
                        "the database " + database + " has tables of another program; make one for Muster alone",
                        StoreException.Kind.REFUSED,
                        null);
            }
            return Optional.empty();
        }
        Optional<Long> version = session.first("select version from muster_form", row -> row.number("version"));
        if (version.orElse(0L) > NEWEST) {
            throw new StoreException(
                    "the database " + database + " was written by a newer Muster: its form is " + version.get()
                            + " and this one knows forms up to " + NEWEST + "; use that Muster, or another database",
                    StoreException.Kind.REFUSED,
                    null);
        }
        return version;
    }

    private static boolean isThere(Session session, String table) throws SQLException {
        // A query of the catalogue and no function of it: those may answer from what was so before the lock was waited
        // for.
        return session.first(
                        "select 1 from pg_tables where schemaname = current_schema() and tablename = ?",
                        row -> 0,
                        table)
                .isPresent();
    }
}
