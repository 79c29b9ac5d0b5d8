package dev.muster.store;

import dev.muster.spi.JobStore.StoreException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** What the errors of PostgreSQL mean, by their SQLSTATE (PostgreSQL documentation, appendix A). */
final class PostgresFaults {
    private static final String DISK_FULL = "53100";
    private static final String TOO_MANY_CONNECTIONS = "53300";
    /** Class of invalid authorizations; there is no such database; the driver was asked for a password and has none. */
    private static final String LOGIN = "28";

    private static final Set<String> LETS_NOBODY_IN = Set.of("3D000", "08004");
    private static final Set<String> SHUT_DOWN = Set.of("57P01", "57P02", "57P03", "25P03");
    private static final Set<String> TOOK_TOO_LONG = Set.of("57014", "55P03");

    /** Unique violation, serialization failure, deadlock: another transaction was faster, and to look again tells what it did. */
    private static final Set<String> BEATEN = Set.of("23505", "40001", "40P01");

    private final String database;

    /** @param database as it is shown */
    PostgresFaults(String database) {
        this.database = database;
    }

    static boolean isConnectionLost(SQLException failed) {
        String state = state(failed);
        return state.startsWith("08") || SHUT_DOWN.contains(state) || failed instanceof SQLTransientConnectionException;
    }

    /** Whether the same may come out otherwise when it is done again. */
    static boolean isWorthAnotherTry(SQLException failed) {
        return BEATEN.contains(state(failed)) || isConnectionLost(failed);
    }

    private static String state(SQLException failed) {
        return failed.getSQLState() == null ? "" : failed.getSQLState();
    }

    StoreException explain(SQLException failed) {
        String state = state(failed);
        if (state.equals(DISK_FULL)) {
            return new StoreException(
                    "there is no room left for the database " + database
                            + "; nothing was changed; free some space there and try again",
                    StoreException.Kind.DISK_FULL,
                    failed);
        }
        if (state.equals(TOO_MANY_CONNECTIONS)) {
            return new StoreException(
                    "the database " + database
                            + " takes no more connections; nothing was changed; raise max_connections",
                    StoreException.Kind.UNREACHABLE,
                    failed);
        }
        if (state.startsWith(LOGIN) || LETS_NOBODY_IN.contains(state)) {
            return new StoreException(
                    "the database " + database + " does not let this service in (" + failed.getMessage()
                            + "); see its url, user and password",
                    StoreException.Kind.REFUSED,
                    failed);
        }
        if (isConnectionLost(failed)) {
            return new StoreException(
                    "the database " + database + " is not reached (" + failed.getMessage()
                            + "); nothing was changed; try again once it is",
                    StoreException.Kind.UNREACHABLE,
                    failed);
        }
        if (TOOK_TOO_LONG.contains(state)) {
            return new StoreException(
                    "the database " + database + " took too long (" + failed.getMessage()
                            + "); nothing was changed; try again",
                    StoreException.Kind.UNREACHABLE,
                    failed);
        }
        return new StoreException(
                "the database " + database + " failed: " + failed.getMessage(), StoreException.Kind.OTHER, failed);
    }

    /** A commit that got no answer. */
    StoreException unknown(SQLException failed) {
        return new StoreException(
                "the database " + database + " did not answer a commit (" + failed.getMessage()
                        + "); whether the change is stored is not known; look, then try again",
                StoreException.Kind.OTHER,
                failed);
    }
}
