package dev.muster.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * Room on the disk kept for opening the database. SQLite makes an index of 32 KiB beside it each time, and removes it when it is closed
 * well; without room for that, nobody could even look at jobs after a stop on a full disk. The file holds written zeros, so that its room
 * is really taken; file systems that pack zeros keep less.
 */
final class StartRoom {
    private static final int BYTES = 64 << 10;

    private final Path file;

    StartRoom(Path file) {
        this.file = file;
    }

    /** Takes what is missing of the room, or what of it there is. */
    void keep() {
        try (FileChannel channel =
                FileChannel.open(file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), OwnerOnly.FILE)) {
            long has = channel.size();
            if (has < BYTES) {
                channel.write(ByteBuffer.allocate((int) (BYTES - has)), has);
            }
        } catch (IOException full) {
            // What could be written is kept; the next one that opens or closes the database tries again.
        }
    }

    /**
     * Gives the room back to the disk.
     *
     * @return whether there was any
     */
    boolean giveUp() {
        try {
            return Files.exists(file) && Files.size(file) > 0 && Files.deleteIfExists(file);
        } catch (IOException cannotBeHad) {
            return false;
        }
    }
}
