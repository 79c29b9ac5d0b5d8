package dev.muster.cli.archive;

import dev.muster.cli.base.Failure;
import dev.muster.formats.tar.TarEntry;
import dev.muster.formats.tar.TarException;
import dev.muster.formats.tar.TarReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.CodingErrorAction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Unpacks a tar archive into a new folder. Nothing is written outside it and nothing through a link, whoever made the archive. */
public final class Unpacking {
    private final Path folder;

    private Unpacking(Path folder) {
        this.folder = folder;
    }

    /**
     * @param folder new and empty
     * @return bytes in the files unpacked
     * @throws IOException when the archive ends too early or a file cannot be written
     */
    public static long unpack(InputStream in, Path folder) throws IOException {
        Unpacking unpacking = new Unpacking(folder);
        TarReader tar = new TarReader(in, CodingErrorAction.REPLACE);
        long bytes = 0;
        try {
            for (Optional<TarEntry> entry = tar.next(); entry.isPresent(); entry = tar.next()) {
                unpacking.take(entry.get(), tar.content());
                bytes += entry.get().size();
            }
        } catch (TarException unreadable) {
            if (unreadable.isCutShort()) {
                throw new IOException("the archive ends too early", unreadable);
            }
            throw Failure.notReached("what the service sent is no tar archive, or damaged");
        }
        in.transferTo(OutputStream.nullOutputStream());
        return bytes;
    }

    private void take(TarEntry entry, InputStream content) throws IOException {
        Path path = inside(entry.name());
        switch (entry.kind()) {
            case FOLDER -> Files.createDirectories(path);
            case FILE -> file(path, entry, content);
            case SYMBOLIC_LINK -> link(path, entry.target());
            case HARD_LINK, DEVICE, PIPE, UNKNOWN ->
                throw new IOException("the archive has an entry of kind '" + entry.type() + "'");
        }
    }

    private static void file(Path path, TarEntry entry, InputStream content) throws IOException {
        Files.createDirectories(path.getParent());
        Files.copy(content, path);
        if (entry.isExecutable() && !path.toFile().setExecutable(true, false)) {
            throw new IOException(path + " cannot be made executable");
        }
    }

    private void link(Path path, String target) throws IOException {
        Path resolved = folder.relativize(path.getParent()).resolve(target).normalize();
        if (target.startsWith("/") || resolved.startsWith("..")) {
            throw new IOException(
                    "the archive has a link that leads out of it: " + path.getFileName() + " to " + target);
        }
        Files.createDirectories(path.getParent());
        Files.createSymbolicLink(path, Path.of(target));
    }

    /** The place of a name in the folder; no part of the way to it is a link. */
    private Path inside(String name) throws IOException {
        Path path = folder.resolve(name).normalize();
        if (name.startsWith("/") || !path.startsWith(folder)) {
            throw new IOException("the archive has a path that leads out of it: " + name);
        }
        for (Path parent = path; parent.startsWith(folder); parent = parent.getParent()) {
            if (Files.isSymbolicLink(parent)) {
                throw new IOException("the archive has a path through a link: " + name);
            }
        }
        return path;
    }
}
