package dev.muster.artifacts.files;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * Sole use of something on disk, among threads of this JVM and among processes of this machine. Given up when closed, and by the
 * operating system when the process dies. The lock file stays: removing it would let two hold "the" lock.
 */
public final class Lease implements AutoCloseable {
    // A process loses its lock on a file as soon as it closes any descriptor of that file, so threads queue up here
    // first.
    private static final Map<Path, Semaphore> GATES = new ConcurrentHashMap<>();

    private final Semaphore gate;
    private final FileChannel channel;

    private Lease(Semaphore gate, FileChannel channel) {
        this.gate = gate;
        this.channel = channel;
    }

    /** Waits for sole use; an interrupt ends the waiting with an InterruptedIOException and stays set. */
    public static Lease take(Path lockFile) throws IOException {
        Files.createDirectories(lockFile.getParent());
        Path real = lockFile.getParent().toRealPath().resolve(lockFile.getFileName());
        Semaphore gate = GATES.computeIfAbsent(real, path -> new Semaphore(1, true));
        try {
            gate.acquire();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for " + lockFile);
        }
        try {
            return new Lease(gate, lock(real));
        } catch (IOException | RuntimeException failed) {
            gate.release();
            throw failed;
        }
    }

    private static FileChannel lock(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            channel.lock();
            return channel;
        } catch (IOException | RuntimeException failed) {
            channel.close();
            throw failed;
        }
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            gate.release();
        }
    }
}
