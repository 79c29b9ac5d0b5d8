package dev.muster.backend.docker;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** What any user of a container may read and write. */
final class FileTree {
    static final Set<PosixFilePermission> OPEN_FOLDER = PosixFilePermissions.fromString("rwxrwxrwx");
    static final Set<PosixFilePermission> OPEN_FILE = PosixFilePermissions.fromString("rw-rw-rw-");

    private FileTree() {}

    /** A folder that any user of a container may write to. Who may get there at all is decided by MUSTER_HOME, which is its owner's alone. */
    static Path open(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.setPosixFilePermissions(folder, OPEN_FOLDER);
        return folder;
    }

    /** Everything below may be read and written by any user, and executed by whoever could before. */
    static void openAll(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path visited, BasicFileAttributes attributes) throws IOException {
                Files.setPosixFilePermissions(visited, OPEN_FOLDER);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (attributes.isRegularFile()) {
                    Set<PosixFilePermission> mode = EnumSet.copyOf(OPEN_FILE);
                    if (Files.getPosixFilePermissions(file).contains(PosixFilePermission.OWNER_EXECUTE)) {
                        mode = OPEN_FOLDER;
                    }
                    Files.setPosixFilePermissions(file, mode);
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Writes the files a plan adds to the working folder. */
    static void write(Path folder, Map<String, String> files) throws IOException {
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = folder.resolve(file.getKey()).normalize();
            if (!path.startsWith(folder) || path.equals(folder)) {
                throw new IOException("the plan's file " + file.getKey() + " is not inside the working folder");
            }
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
    }
}
