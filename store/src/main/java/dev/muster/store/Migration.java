package dev.muster.store;

import dev.muster.spi.JobStore.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

/**
 * Brings the tables up to date by numbered scripts, forward only, each in one transaction with the number it leads to. Where
 * nothing is to be done it costs two PRAGMAs.
 */
final class Migration {
    /** "MSTR": tells our file from another program's. */
    private static final long APPLICATION = 0x4d535452;

    /** The version this build reads and writes: the number of the last script. */
    static final int NEWEST = 4;

    private Migration() {}

    static void apply(Session session, Path file) throws SQLException {
        long application = pragma(session, "application_id");
        long version = pragma(session, "user_version");
        if (application != APPLICATION && (application != 0 || version != 0)) {
            throw new StoreException(
                    "the file " + file + " is a database of another program; move it away",
                    StoreException.Kind.REFUSED,
                    null);
        }
        if (version > NEWEST) {
            throw new StoreException(
                    "the database " + file + " was written by a newer Muster: its form is " + version
                            + " and this one knows forms up to " + NEWEST
                            + "; use that Muster, or another MUSTER_HOME",
                    StoreException.Kind.REFUSED,
                    null);
        }
        for (long next = version + 1; next <= NEWEST; next++) {
            session.execute("BEGIN IMMEDIATE");
            for (String statement : script("sqlite", next)) {
                session.execute(statement);
            }
            session.execute("PRAGMA application_id = " + APPLICATION);
            session.execute("PRAGMA user_version = " + next);
            session.execute("COMMIT");
        }
    }

    private static long pragma(Session session, String name) throws SQLException {
        return session.first("PRAGMA " + name, row -> row.number(name)).orElseThrow();
    }

    /** The statements of a script; each ends with a semicolon at the end of a line. */
    static List<String> script(String product, long number) {
        String name = product + "/" + number + ".sql";
        try (InputStream in = Migration.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the script " + name + " is missing");
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return Arrays.stream(text.split(";\\s*\\n"))
                    .filter(part -> !part.isBlank())
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
