package dev.muster.backend.kubernetes;

import dev.muster.formats.tar.TarEntry;
import dev.muster.formats.tar.TarWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Files that go into a pod as one tar archive. What is in it is settled when it is added; how long the archive is, is known before it is written. */
final class Parcel {
    private final List<Part> parts = new ArrayList<>();

    /** One entry as it will be written, and where its content is. */
    private record Part(TarEntry entry, Path path) {}

    /** Adds a file or a whole folder under a name; links inside are kept as links, a link that is added itself is followed. */
    void add(Path path, String name) throws IOException {
        if (Files.isDirectory(path)) {
            parts.add(new Part(TarEntry.folder(name, mode(path), time(path)), path));
            addInside(path, name + "/");
        } else {
            parts.add(new Part(TarEntry.file(name, mode(path), Files.size(path), time(path)), path));
        }
    }

    /** Adds what is in a folder; links are kept as links. */
    void addInside(Path folder) throws IOException {
        addInside(folder, "");
    }

    private void addInside(Path folder, String prefix) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            for (Path each : entries.sorted().toList()) {
                inside(each, prefix + each.getFileName());
            }
        }
    }

    private void inside(Path path, String name) throws IOException {
        if (Files.isSymbolicLink(path)) {
            String target = Files.readSymbolicLink(path).toString();
            parts.add(new Part(TarEntry.link(name, Instant.EPOCH, target), path));
        } else if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) || Files.isRegularFile(path)) {
            add(path, name);
        }
    }

    boolean isEmpty() {
        return parts.isEmpty();
    }

    /** The length of the archive. */
    long bytes() {
        return parts.stream()
                        .mapToLong(part -> TarWriter.lengthOf(part.entry()))
                        .sum()
                + TarWriter.END;
    }

    /** Exactly as many bytes as were announced, also of a file that grew meanwhile. */
    void writeTo(OutputStream out) throws IOException {
        TarWriter tar = new TarWriter(out);
        for (Part part : parts) {
            if (part.entry().kind() == TarEntry.Kind.FILE) {
                try (InputStream in = Files.newInputStream(part.path())) {
                    tar.write(part.entry(), in);
                }
            } else {
                tar.write(part.entry());
            }
        }
        tar.end();
    }

    private static int mode(Path path) {
        return Files.isDirectory(path) || Files.isExecutable(path) ? 0755 : 0644;
    }

    private static Instant time(Path path) throws IOException {
        return Files.getLastModifiedTime(path).toInstant();
    }
}
