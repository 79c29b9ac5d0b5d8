package dev.muster.formats.files;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Folders with all that is in them. */
public final class Folders {
    private Folders() {}

    /** Removes a file or a whole folder; links are removed, not followed. What is not there is removed. */
    public static void delete(Path path) throws IOException {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            takeRights(path);
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
                for (Path entry : entries) {
                    delete(entry);
                }
            } catch (NoSuchFileException gone) {
                return;
            } catch (DirectoryIteratorException unreadable) {
                throw unreadable.getCause();
            }
        }
        Files.deleteIfExists(path);
    }

    /** A program may have taken the rights away from itself. */
    private static void takeRights(Path folder) {
        if (Files.isReadable(folder) && Files.isWritable(folder) && Files.isExecutable(folder)) {
            return;
        }
        try {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        } catch (IOException somebodyElses) {
            // Empty, it can be removed all the same; else what follows tells.
            return;
        }
    }
}
