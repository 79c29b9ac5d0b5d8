package dev.muster.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Modes of what only the owner may read: files 0600, folders 0700. */
final class OwnerOnly {
    static final FileAttribute<Set<PosixFilePermission>> FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    static final FileAttribute<Set<PosixFilePermission>> FOLDER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private OwnerOnly() {}

    /** Makes the folder where there is none. */
    static void create(Path folder) throws IOException {
        Files.createDirectories(folder, FOLDER);
    }

    /** Makes the folder, or takes others' rights to it away. */
    static void folder(Path folder) throws IOException {
        Files.createDirectories(folder, FOLDER);
        Files.setPosixFilePermissions(folder, FOLDER.value());
    }
}
