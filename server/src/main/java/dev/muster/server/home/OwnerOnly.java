package dev.muster.server.home;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Files and folders that only their owner may read or write. */
public final class OwnerOnly {
    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> WRITE_OF_OTHERS =
            EnumSet.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private OwnerOnly() {}

    /**
     * Makes the folder, or takes it away from the eyes of others.
     *
     * @throws HomeException when it is somebody else's, or others may write to it: then nobody knows what was put there
     */
    static void folder(Path folder) throws IOException, HomeException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectories(folder.getParent());
            Files.createDirectory(folder, attribute(FOLDER));
            return;
        }
        if (!Files.isDirectory(folder)) {
            throw new HomeException("MUSTER_HOME " + folder + " is no folder: move it away or set another MUSTER_HOME");
        }
        PosixFileAttributes attributes = Files.readAttributes(folder, PosixFileAttributes.class);
        String me = System.getProperty("user.name");
        if (!attributes.owner().getName().equals(me)) {
            throw new HomeException("MUSTER_HOME " + folder + " belongs to "
                    + attributes.owner().getName() + ", not to " + me + ": set another MUSTER_HOME");
        }
        Set<PosixFilePermission> permissions = attributes.permissions();
        if (WRITE_OF_OTHERS.stream().anyMatch(permissions::contains)) {
            throw new HomeException("MUSTER_HOME " + folder + " can be written by others ("
                    + PosixFilePermissions.toString(permissions)
                    + "): see that nothing in it is theirs, then run chmod go-w " + folder);
        }
        if (!permissions.equals(FOLDER)) {
            Files.setPosixFilePermissions(folder, FOLDER);
        }
    }

    /**
     * Sees that each is a file, or is not there and can be made.
     *
     * @throws HomeException when something else stands in its place, or in that of its folder
     */
    static void files(List<Path> files) throws HomeException {
        for (Path file : files) {
            Path parent = file.getParent();
            if (Files.exists(parent) && !Files.isDirectory(parent)) {
                throw new HomeException(parent + " is no folder, but Muster keeps files in it: move it away");
            }
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                throw new HomeException(file + " is no file, but Muster keeps one there: move it away");
            }
            if (Files.exists(file) && !Files.isReadable(file)) {
                throw new HomeException(file + " cannot be read: run chmod u+rw " + file);
            }
        }
    }

    /** Replaces the content of a file in one step, so that a reader sees the old or the new. */
    public static void write(Path file, String content) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(temporary);
        Files.createFile(temporary, attribute(FILE));
        try {
            Files.write(temporary, content.getBytes(StandardCharsets.UTF_8), StandardOpenOption.SYNC);
        } catch (IOException full) {
            Files.deleteIfExists(temporary);
            throw full;
        }
        try {
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException impossibleHere) {
            throw new IOException(file + " cannot be replaced in one step", impossibleHere);
        }
    }

    public static FileAttribute<Set<PosixFilePermission>> file() {
        return attribute(FILE);
    }

    private static FileAttribute<Set<PosixFilePermission>> attribute(Set<PosixFilePermission> permissions) {
        return PosixFilePermissions.asFileAttribute(permissions);
    }
}
