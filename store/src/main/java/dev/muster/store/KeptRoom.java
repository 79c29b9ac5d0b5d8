package dev.muster.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * Room on the disk kept for what must not fail for want of it. The file holds written zeros, so that its room is really taken; file systems
 * that pack zeros keep less. For one thread at a time.
 */
final class KeptRoom {
    private static final int PIECE = 64 << 10;

    private final Path file;
    private final long bytes;

    KeptRoom(Path file, long bytes) {
        this.file = file;
        this.bytes = bytes;
    }

    /** Takes what is missing of the room, or what of it there is. */
    void keep() {
        try (FileChannel channel =
                FileChannel.open(file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), OwnerOnly.FILE)) {
            ByteBuffer zeros = ByteBuffer.allocate(PIECE);
            for (long has = channel.size(); has < bytes; has = channel.size()) {
                zeros.clear().limit((int) Math.min(PIECE, bytes - has));
                channel.write(zeros, has);
            }
        } catch (IOException full) {
            // What could be written is kept; the next call tries again.
        }
    }

    /** Whether some of the room was given up, or could not be had when it was asked for. */
    boolean lacksSome() {
        return Files.exists(file) && size() < bytes;
    }

    /**
     * Gives up to so many bytes back to the disk.
     *
     * @return whether there were any
     */
    boolean giveUp(long most) {
        long has = size();
        if (has == 0) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(Math.max(0, has - most));
            return true;
        } catch (IOException cannotBeHad) {
            return false;
        }
    }

    private long size() {
        try {
            return Files.size(file);
        } catch (IOException absent) {
            return 0;
        }
    }
}
