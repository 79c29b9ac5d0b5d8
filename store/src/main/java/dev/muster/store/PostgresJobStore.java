package dev.muster.store;

import dev.muster.spi.JobStore;
import dev.muster.spi.JobStore.SpecCodec;
import dev.muster.spi.JobStore.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;

/** Opens the job store that several replicas share in one PostgreSQL database. */
public final class PostgresJobStore {
    private PostgresJobStore() {}

    /** The same with nobody called around commits. */
    public static JobStore open(PostgresSettings settings, SpecCodec codec, Unreadable unreadable) {
        return open(settings, codec, unreadable, CommitHook.NONE);
    }

    /**
     * Looks whether the store could be opened, and changes nothing.
     *
     * @throws StoreException when it could not, with the reason that {@link #open} would give
     */
    public static void check(PostgresSettings settings) {
        SecretBox box = new SecretBox(settings.keyFile(), new SecureRandom());
        PostgresDatabase.look(settings, session -> {
            if (PostgresMigration.version(session, settings.shown()).isPresent()) {
                SharedKey.look(session, box, settings.keyFile());
            }
            return true;
        });
    }

    /**
     * Opens the store, and makes or updates its tables.
     *
     * @param codec      form in which job specifications are kept
     * @param unreadable is told of rows that cannot be read
     * @param hook       called around every commit, by several threads
     * @throws StoreException when the database is not reached, is another program's or was written by a newer Muster, or when the key is
     *     not the one that its secrets are sealed with
     */
    public static JobStore open(PostgresSettings settings, SpecCodec codec, Unreadable unreadable, CommitHook hook) {
        Path folder = settings.keyFile().toAbsolutePath().getParent();
        try {
            OwnerOnly.create(folder);
        } catch (IOException failed) {
            throw new StoreException(
                    "the folder " + folder + " of the key cannot be used: " + failed,
                    StoreException.Kind.OTHER,
                    failed);
        }
        SecureRandom random = new SecureRandom();
        SecretBox box = new SecretBox(settings.keyFile(), random);
        PostgresDatabase database = new PostgresDatabase(settings, random.nextLong(), hook);
        try {
            SharedKey.check(database, box, settings.keyFile());
            return new SqlJobStore(database, codec, box, unreadable);
        } catch (RuntimeException refused) {
            database.close();
            throw refused;
        }
    }
}
