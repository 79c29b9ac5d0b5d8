package dev.muster.artifacts.files;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Writes that are on the disk when they return, and are seen whole or not at all. */
public final class Durable {
    private static final int MOST_AT_A_TIME = 16;

    private Durable() {}

    /** Brings the bytes of a file, or the names in a folder, to the disk. */
    public static void sync(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Brings every file and folder of the tree to the disk; several at a time, because a file system commits those together. */
    public static void syncTree(Path folder) throws IOException {
        List<Callable<Void>> paths = new ArrayList<>(List.of(() -> syncOne(folder)));
        for (Tree.Found found : Tree.walk(folder)) {
            if (found.attributes().isRegularFile() || found.attributes().isDirectory()) {
                paths.add(() -> syncOne(found.path()));
            }
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(Math.min(paths.size(), MOST_AT_A_TIME))) {
            for (Future<Void> synced : threads.invokeAll(paths)) {
                synced.get();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while " + folder + " was brought to the disk");
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException cause ? cause : new IOException(failed.getCause());
        }
    }

    private static Void syncOne(Path path) throws IOException {
        sync(path);
        return null;
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
