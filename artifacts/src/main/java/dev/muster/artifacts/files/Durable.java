package dev.muster.artifacts.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Writes that are on the disk when they return, and are seen whole or not at all. */
public final class Durable {
    private Durable() {}

    /** Brings the bytes of a file, or the names in a folder, to the disk. */
    public static void sync(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Brings every file and folder of the tree to the disk. */
    public static void syncTree(Path folder) throws IOException {
        for (Tree.Found found : Tree.walk(folder)) {
            if (found.attributes().isRegularFile() || found.attributes().isDirectory()) {
                sync(found.path());
            }
        }
        sync(folder);
    }

    /** Makes or replaces the file by one atomic rename. */
    public static void write(Path file, String text) throws IOException {
        Path draft = Files.createTempFile(file.getParent(), "." + file.getFileName() + ".", ".tmp");
        try {
            try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failed) {
            Tree.deleteQuietly(draft);
            throw failed;
        }
        sync(file.getParent());
    }

    /** Renames inside one file system, then brings both folders to the disk. */
    public static void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        sync(to.getParent());
        if (!from.getParent().equals(to.getParent())) {
            sync(from.getParent());
        }
    }
}
