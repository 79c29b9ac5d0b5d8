package dev.muster.store;

import dev.muster.spi.JobStore.StoreException;
import java.nio.file.Path;
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
        if (!stored.equals(Optional.of(box.fingerprint(false)))) {
            throw new StoreException(
                    "the key in " + file
                            + " is not the one that the secrets in this database are sealed with; copy the key"
                            + " file of another replica there",
                    StoreException.Kind.OTHER,
                    null);
        }
    }

    private static Optional<String> stored(Database database) {
        return database.read(
                session -> session.first("select fingerprint from secret_key", row -> row.text("fingerprint")));
    }
}
