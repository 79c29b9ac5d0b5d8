package dev.muster.spi;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/** Snapshots of training code, keyed by a digest over paths, modes and bytes. Never changed once stored. Any thread may call. */
public interface CodeStore {
    /** Whether the snapshot is stored whole. */
    boolean has(String digest);

    /**
     * Whether a snapshot has something at that place: a file, a folder or a link.
     *
     * @param path relative to the snapshot's root; one that leads out of it has nothing
     */
    boolean holds(String digest, String path);

    /**
     * Stores a tar archive (POSIX ustar or pax) as a snapshot, or finds it already stored.
     *
     * @param tar       the archive; absolute paths, {@code ..}, devices and links that leave the folder are refused
     * @param maxBytes  bound on the bytes unpacked
     * @return its digest, {@code sha256:} and 64 hexadecimal digits
     * @throws IOException when the archive is refused (the message says why) or cannot be stored; nothing is left behind
     */
    String put(InputStream tar, long maxBytes) throws IOException;

    /** Makes a writable copy of the snapshot in a folder that is new or empty; nothing in it is shared with the store. */
    void copyTo(String digest, Path folder) throws IOException;
}
