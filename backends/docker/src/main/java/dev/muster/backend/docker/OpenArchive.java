package dev.muster.backend.docker;

import dev.muster.formats.tar.TarEntry;
import dev.muster.formats.tar.TarWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;

/**
 * A tar archive in which everything may be read and written by any user, since which user a container has is its image's business.
 */
final class OpenArchive {
    private static final int FOLDER_MODE = 0777;
    private static final int FILE_MODE = 0666;

    private final TarWriter tar;

    OpenArchive(OutputStream out) {
        tar = new TarWriter(out);
    }

    void folder(String name) throws IOException {
        tar.write(TarEntry.folder(name, FOLDER_MODE, Instant.EPOCH));
    }

    void file(String name, byte[] content) throws IOException {
        tar.write(TarEntry.file(name, FILE_MODE, content.length, Instant.EPOCH), new ByteArrayInputStream(content));
    }

    /** A file, or a folder with all that is in it; links stay links. */
    void tree(String name, Path path) throws IOException {
        Instant time =
                Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS).toInstant();
        if (Files.isSymbolicLink(path)) {
            tar.write(TarEntry.link(name, time, Files.readSymbolicLink(path).toString()));
        } else if (Files.isDirectory(path)) {
            tar.write(TarEntry.folder(name, FOLDER_MODE, time));
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
                for (Path entry : entries) {
                    tree(name + "/" + entry.getFileName(), entry);
                }
            }
        } else if (Files.isRegularFile(path)) {
            long size = Files.size(path);
            try (InputStream in = Files.newInputStream(path)) {
                tar.write(TarEntry.file(name, isExecutable(path) ? FOLDER_MODE : FILE_MODE, size, time), in);
                if (in.read() >= 0) {
                    throw new IOException(path + " grew while it was sent");
                }
            }
        }
    }

    /** For root every file seems executable. */
    private static boolean isExecutable(Path path) throws IOException {
        return Files.isExecutable(path)
                && Files.getPosixFilePermissions(path).stream()
                        .anyMatch(right -> right.name().endsWith("EXECUTE"));
    }

    /** The end of the archive. */
    void end() throws IOException {
        tar.end();
    }
}
