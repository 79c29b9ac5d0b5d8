package dev.muster.backend.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The folder in which all services of this machine, of any user and home, tell what their jobs hold. Everybody may write into it and
 * only the owner of a file may remove it (mode 1777).
 */
final class SharedFolder {
    private static final String LOCK = "lock";
    private static final String SUFFIX = ".hold";
    private static final int EVERYBODY_STICKY = 01777;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);
    /** A file lock belongs to the whole JVM, so its threads take turns before. */
    private static final ReentrantLock TURN = new ReentrantLock();

    private final Path folder;
    private final String owner;

    /**
     * Makes the folder where it is not there.
     *
     * @param owner name of this user and home, different from every other's
     */
    SharedFolder(Path folder, String owner) throws IOException {
        this.folder = folder;
        this.owner = owner;
        try {
            Files.createDirectory(folder);
            Files.setAttribute(folder, "unix:mode", EVERYBODY_STICKY);
        } catch (FileAlreadyExistsException already) {
            // Whoever made it has set its mode.
        }
        if (!Files.isWritable(folder)) {
            throw new IOException("the folder for reserved ports may not be written: " + folder
                    + " (let its owner run chmod 1777 on it)");
        }
    }

    /** This home's file for one job. */
    Path file(String job) {
        return folder.resolve(owner + "-" + job + SUFFIX);
    }

    /** Every group's hold, alive or not, by file. */
    Map<Path, Hold> holds() throws IOException {
        Map<Path, Hold> holds = new HashMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            for (Path file : files) {
                try {
                    holds.put(file, Hold.parse(Files.readString(file)));
                } catch (NoSuchFileException given) {
                    // Given back in the meantime.
                }
            }
        } catch (UncheckedIOException iteration) {
            throw iteration.getCause();
        }
        return holds;
    }

    /** Replaces a hold of this home as a whole. */
    void write(Path file, Hold hold) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(fresh, hold.text());
        Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-r--r--"));
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Removes a file unless it is another user's. */
    void tryToRemove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException anotherUsers) {
            // It holds nothing all the same.
            return;
        }
    }

    /** A turn; ends when it is closed. */
    interface Turn extends AutoCloseable {
        @Override
        void close() throws IOException;
    }

    /** Waits for its turn among all services of the machine. */
    Turn take() throws IOException {
        TURN.lock();
        try {
            FileChannel channel = open(folder.resolve(LOCK));
            try {
                waitFor(channel);
                return () -> {
                    try {
                        channel.close();
                    } finally {
                        TURN.unlock();
                    }
                };
            } catch (IOException | RuntimeException failed) {
                channel.close();
                throw failed;
            }
        } catch (IOException | RuntimeException failed) {
            TURN.unlock();
            throw failed;
        }
    }

    /** Kernels may refuse to open another user's file in such a folder for creation, so it is made apart from being opened. */
    private static FileChannel open(Path lock) throws IOException {
        try {
            Files.createFile(lock);
            Files.setPosixFilePermissions(lock, PosixFilePermissions.fromString("rw-rw-rw-"));
        } catch (FileAlreadyExistsException already) {
            // Opened below.
        }
        return FileChannel.open(lock, StandardOpenOption.WRITE);
    }

    private void waitFor(FileChannel channel) throws IOException {
        long begun = System.nanoTime();
        while (true) {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return;
            }
            if (System.nanoTime() - begun > LONGEST_WAIT.toNanos()) {
                throw new IOException("another Muster on this machine holds " + folder.resolve(LOCK)
                        + " for longer than " + LONGEST_WAIT.toSeconds() + " s");
            }
            try {
                Thread.sleep(2);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while waiting for " + folder.resolve(LOCK), interrupted);
            }
        }
    }
}
