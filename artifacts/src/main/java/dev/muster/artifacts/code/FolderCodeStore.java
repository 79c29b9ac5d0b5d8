package dev.muster.artifacts.code;

import dev.muster.artifacts.files.Durable;
import dev.muster.artifacts.files.Staging;
import dev.muster.artifacts.files.Tree;
import dev.muster.artifacts.files.TreeDigest;
import dev.muster.spi.CodeStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * Code snapshots in folders, {@code MUSTER_HOME/store/code/HEX} for the snapshot {@code sha256:HEX} ({@link TreeDigest} says over what).
 * A snapshot is unpacked elsewhere, brought to the disk, and becomes visible by one rename; equal content sent at the same time by
 * several, also by several processes, is stored once.
 */
public final class FolderCodeStore implements CodeStore {
    private static final int MOST_ENTRIES = 100_000;

    private final Path folder;
    private final Staging staging;
    private final int mostEntries;

    /** Opens or makes the store below MUSTER_HOME and removes what a killed service left half done. */
    public FolderCodeStore(Path home) throws IOException {
        this(home, MOST_ENTRIES);
    }

    FolderCodeStore(Path home, int mostEntries) throws IOException {
        this.mostEntries = mostEntries;
        this.folder = Files.createDirectories(home.resolve("store").resolve("code"));
        this.staging = new Staging(folder.resolve(".staging"));
        staging.removeLeftOver();
    }

    @Override
    public boolean has(String digest) {
        return TreeDigest.isDigest(digest) && Files.isDirectory(place(digest), LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public boolean holds(String digest, String path) {
        if (!has(digest) || path.indexOf('\0') >= 0) {
            return false;
        }
        Path root = place(digest);
        Path there = root.resolve(path).normalize();
        return there.startsWith(root) && Files.exists(there, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * {@inheritDoc}
     *
     * @throws RefusedArchiveException when the archive itself is at fault; any other IOException is the store's
     */
    @Override
    public String put(InputStream tar, long maxBytes) throws IOException {
        Path draft = staging.make();
        try {
            Path tree = Files.createDirectory(draft.resolve("tree"));
            String digest = TreeDigest.of(new Unpacking(tree, maxBytes, mostEntries).unpack(tar));
            if (!has(digest)) {
                Durable.syncTree(tree);
                show(tree, place(digest));
            }
            return digest;
        } finally {
            Tree.deleteQuietly(draft);
        }
    }

    private void show(Path tree, Path place) throws IOException {
        try {
            Durable.move(tree, place);
        } catch (FileSystemException otherWasFirst) {
            if (!Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
                throw otherWasFirst;
            }
        }
    }

    @Override
    public void copyTo(String digest, Path target) throws IOException {
        if (!has(digest)) {
            throw new IOException("the code snapshot " + digest + " is not in " + folder + "; submit the job again");
        }
        if (!Tree.isVacant(target)) {
            throw new IOException("the code is copied into a new or empty folder, and " + target + " is neither");
        }
        try {
            Tree.copy(place(digest), Files.createDirectories(target));
        } catch (IOException failed) {
            Tree.deleteQuietly(target);
            throw failed;
        }
    }

    private Path place(String digest) {
        return folder.resolve(digest.substring("sha256:".length()));
    }
}
