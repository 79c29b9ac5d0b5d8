package dev.muster.backend.kubernetes;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Removes folders of the service's host. */
final class Folders {
    private Folders() {}

    /** Removes a file or a whole folder; links are removed, not followed. What is not there is removed. */
    static void delete(Path path) throws IOException {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            // What is to be replaced may be without rights.
            path.toFile().setWritable(true);
            path.toFile().setReadable(true);
            path.toFile().setExecutable(true);
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
                for (Path entry : entries) {
                    delete(entry);
                }
            } catch (NoSuchFileException gone) {
                return;
            }
        }
        Files.deleteIfExists(path);
    }
}
