package dev.muster.store;

import dev.muster.spi.JobStore.StoreException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;

/** Sees to it that all replicas seal with one key: what one seals the others could not open otherwise. */
final class SharedKey {
    private SharedKey() {}

    /** Makes the key where there was never one. */
    static void check(Database database, SecretBox box, Path file) {
        Optional<String> stored = stored(database);
        if (stored.isEmpty()) {
            String made = box.fingerprint(true);
            database.write(session ->
                    session.update("insert into secret_key (fingerprint) values (?) on conflict do nothing", made));
            stored = stored(database);
        }
        compare(stored.orElse(""), box, file);
    }

    /** Looks whether the key fits, where there was ever one; makes none. */
    static void look(Session session, SecretBox box, Path file) throws SQLException {
        Optional<String> stored = stored(session);
        if (stored.isPresent()) {
            compare(stored.get(), box, file);
        }
    }

    private static void compare(String stored, SecretBox box, Path file) {
        if (!stored.equals(box.fingerprint(false))) {
            throw new StoreException(
                    "the key in " + file
                            + " is not the one that the secrets in this database are sealed with; copy the key"
                            + " file of another replica there",
                    StoreException.Kind.REFUSED,
                    null);
        }
    }

    private static Optional<String> stored(Database database) {
        return database.read(SharedKey::stored);
    }

    private static Optional<String> stored(Session session) throws SQLException {
        return session.first("select fingerprint from secret_key", row -> row.text("fingerprint"));
    }
}
