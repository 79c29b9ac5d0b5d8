package dev.muster.store;

import dev.muster.spi.JobStore;
import dev.muster.spi.JobStore.SpecCodec;
import dev.muster.spi.JobStore.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;

/** Opens the job store that keeps everything in one SQLite database. */
public final class SqliteJobStore {
    private SqliteJobStore() {}

    /**
     * Opens the store in a folder of its own, made when it is not there: {@code muster.db} and {@code secret.key}.
     * Folder and files are the owner's only (0700, 0600). One process at a time may have it open.
     *
     * @param folder     absolute folder that belongs to the store alone
     * @param codec      form in which job specifications are kept
     * @param unreadable is told of rows that cannot be read
     * @throws StoreException when the folder cannot be used, the file is damaged or foreign, or a newer Muster wrote it
     */
    public static JobStore open(Path folder, SpecCodec codec, Unreadable unreadable) {
        return open(folder, codec, unreadable, CommitHook.NONE);
    }

    /** @param hook called around every commit */
    public static JobStore open(Path folder, SpecCodec codec, Unreadable unreadable, CommitHook hook) {
        try {
            OwnerOnly.folder(folder);
        } catch (IOException failed) {
            throw new StoreException(
                    "the folder " + folder + " cannot be used: " + failed, StoreException.Kind.OTHER, failed);
        }
        return over(new SqliteDatabase(folder.resolve("muster.db"), hook), folder, codec, unreadable);
    }

    static JobStore over(Database database, Path folder, SpecCodec codec, Unreadable unreadable) {
        SecretBox box = new SecretBox(folder.resolve("secret.key"), new SecureRandom());
        return new SqlJobStore(database, codec, box, unreadable);
    }
}
