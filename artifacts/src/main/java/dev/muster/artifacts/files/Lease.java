package dev.muster.artifacts.files;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
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

    /** Waits for sole use; an interrupt ends the waiting with an IOException and stays set. */
    public static Lease take(Path lockFile) throws IOException {
        Path real = real(lockFile);
        Semaphore gate = gate(real);
        try {
            gate.acquire();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for " + lockFile);
        }
        return lock(real, gate, true).orElseThrow();
    }

    /** Sole use at once, or empty when somebody else has it. */
    public static Optional<Lease> takeIfFree(Path lockFile) throws IOException {
        Path real = real(lockFile);
        Semaphore gate = gate(real);
        return gate.tryAcquire() ? lock(real, gate, false) : Optional.empty();
    }

    private static Path real(Path lockFile) throws IOException {
        Files.createDirectories(lockFile.getParent());
        return lockFile.getParent().toRealPath().resolve(lockFile.getFileName());
    }

    private static Semaphore gate(Path real) {
        return GATES.computeIfAbsent(real, path -> new Semaphore(1, true));
    }

    private static Optional<Lease> lock(Path file, Semaphore gate, boolean wait) throws IOException {
        FileChannel channel = null;
        boolean locked = false;
        try {
            channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            locked = (wait ? channel.lock() : channel.tryLock()) != null;
            return locked ? Optional.of(new Lease(gate, channel)) : Optional.empty();
        } finally {
            if (!locked) {
                gate.release();
                if (channel != null) {
                    channel.close();
                }
            }
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
