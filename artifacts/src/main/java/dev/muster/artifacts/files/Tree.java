package dev.muster.artifacts.files;

import dev.muster.formats.files.Folders;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Reading, copying and removing folder trees. Symbolic links are never followed. */
public final class Tree {
    private Tree() {}

    /** A file, folder or link found below a folder, with its attributes. */
    public record Found(Path path, BasicFileAttributes attributes) {}

    /** All that lies below the folder, a folder always before what is in it. What vanishes meanwhile is left out. */
    public static List<Found> walk(Path folder) throws IOException {
        List<Found> all = new ArrayList<>();
        Deque<Path> open = new ArrayDeque<>(List.of(folder));
        while (!open.isEmpty()) {
            try (DirectoryStream<Path> children = Files.newDirectoryStream(open.pop())) {
                for (Path child : children) {
                    BasicFileAttributes attributes =
                            Files.readAttributes(child, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                    all.add(new Found(child, attributes));
                    if (attributes.isDirectory()) {
                        open.push(child);
                    }
                }
            } catch (NoSuchFileException vanished) {
                continue;
            }
        }
        return all;
    }

    /**
     * The entries below the folder, every file hashed.
     *
     * @throws IOException also when there is a device, pipe or socket, named in the message
     */
    public static List<TreeEntry> read(Path folder) throws IOException {
        List<TreeEntry> entries = new ArrayList<>();
        for (Found found : walk(folder)) {
            entries.add(entry(folder, found.path()));
        }
        return entries;
    }

    /** The one entry, by its path relative to {@code top}. */
    public static TreeEntry entry(Path top, Path path) throws IOException {
        String name = top.relativize(path).toString();
        PosixFileAttributes attributes =
                Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (attributes.isDirectory()) {
            return new TreeEntry.Folder(name);
        }
        if (attributes.isSymbolicLink()) {
            return new TreeEntry.Link(name, Files.readSymbolicLink(path).toString());
        }
        if (attributes.isRegularFile()) {
            boolean executable = attributes.permissions().contains(PosixFilePermission.OWNER_EXECUTE);
            return new TreeEntry.File(name, executable, attributes.size(), Sha256.of(path));
        }
        throw new IOException(name + " is a device, pipe or socket; only files, folders and links can be kept");
    }

    /** Copies everything below {@code from} into the existing folder {@code to}: bytes, mode bits, links as written. */
    public static void copy(Path from, Path to) throws IOException {
        try (DirectoryStream<Path> children = Files.newDirectoryStream(from)) {
            for (Path child : children) {
                Path target = to.resolve(child.getFileName());
                if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
                    Files.createDirectory(target);
                    copy(child, target);
                } else {
                    // Without COPY_ATTRIBUTES: the mode is kept all the same, the times are new, and where the file
                    // system can
                    // share blocks until one side writes, the JDK lets it.
                    Files.copy(child, target, LinkOption.NOFOLLOW_LINKS);
                }
            }
        }
    }

    /** Removes what it can, for clean-up where an exception is already on its way. */
    public static void deleteQuietly(Path path) {
        try {
            Folders.delete(path);
        } catch (IOException leftForTheNextCleanUp) {
            return;
        }
    }

    /** Whether the path is a folder with nothing in it, or nothing at all. */
    public static boolean isVacant(Path folder) throws IOException {
        if (Files.notExists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return true;
        }
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        try (DirectoryStream<Path> children = Files.newDirectoryStream(folder)) {
            return !children.iterator().hasNext();
        }
    }
}
