package dev.muster.cli.embedded;

import dev.muster.cli.base.Failure;
import dev.muster.cli.base.Notes;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/** Held while a service is started or replaced, so that of many commands one does it. Ends with this process at the latest. */
final class StartLock implements AutoCloseable {
    private static final long STEP_MILLISECONDS = 10;
    private static final Duration TOLD_AFTER = Duration.ofSeconds(2);

    private final FileChannel channel;

    private StartLock(FileChannel channel) {
        this.channel = channel;
    }

    /** Waits for its turn. */
    static StartLock take(Path file, Duration atMost, Notes notes) {
        long start = System.nanoTime();
        boolean told = false;
        try {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            while (!tryLock(channel)) {
                Duration waited = Duration.ofNanos(System.nanoTime() - start);
                if (waited.compareTo(atMost) > 0) {
                    channel.close();
                    throw Failure.notReached("another command has been starting the service for " + atMost.toSeconds()
                            + " s; the file it holds locked is " + file);
                }
                if (!told && waited.compareTo(TOLD_AFTER) > 0) {
                    notes.say("waiting for another command that starts the service");
                    told = true;
                }
                Thread.sleep(STEP_MILLISECONDS);
            }
            return new StartLock(channel);
        } catch (IOException failed) {
            throw Failure.badInput("the lock " + file + " cannot be taken: " + failed
                    + "; set MUSTER_HOME to a folder on a local disk that you may write");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw Failure.notReached("interrupted while waiting for " + file);
        }
    }

    private static boolean tryLock(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException heldByAnotherThread) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException ignored) {
            // The lock ends with this process.
        }
    }
}
