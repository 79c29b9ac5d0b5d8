package dev.muster.server.artifacts;

import dev.muster.formats.tar.TarEntry;
import dev.muster.formats.tar.TarWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.stream.Stream;

/** Writes a folder as a tar archive. Owners and times are left out, so that equal folders give equal bytes. */
final class FolderArchive {
    private FolderArchive() {}

    /** Writes everything below the folder, by paths relative to it, in the order of names; the stream stays open. */
    static void write(Path folder, OutputStream out) throws IOException {
        TarWriter tar = new TarWriter(out);
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : (Iterable<Path>) paths.sorted()::iterator) {
                if (!path.equals(folder)) {
                    entry(tar, path, folder.relativize(path).toString());
                }
            }
        }
        tar.end();
    }

    private static void entry(TarWriter tar, Path path, String name) throws IOException {
        BasicFileAttributes attributes =
                Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (attributes.isDirectory()) {
            tar.write(TarEntry.folder(name, 0755, Instant.EPOCH));
        } else if (attributes.isSymbolicLink()) {
            tar.write(TarEntry.link(
                    name, Instant.EPOCH, Files.readSymbolicLink(path).toString()));
        } else if (attributes.isRegularFile()) {
            int mode = Files.isExecutable(path) ? 0755 : 0644;
            try (InputStream in = Files.newInputStream(path)) {
                tar.write(TarEntry.file(name, mode, attributes.size(), Instant.EPOCH), in);
            }
        }
    }
}
