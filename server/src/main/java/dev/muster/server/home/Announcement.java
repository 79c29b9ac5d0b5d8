package dev.muster.server.home;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * The file by which a service is found. It is replaced in one step; where the disk has no room for that, a file of an earlier service
 * is written over in its place, which takes no room: without it a full disk would keep anybody from looking at jobs. For this one that is
 * taken back stays as a spare. A reader that sees half of it takes it for none and looks again.
 */
final class Announcement {
    private final Path file;
    private final Path spare;

    Announcement(Path file) {
        this.file = file;
        this.spare = file.resolveSibling(file.getFileName() + ".spare");
    }

    void make(String content) throws IOException {
        try {
            OwnerOnly.write(file, content);
        } catch (IOException full) {
            try {
                writeOver(content);
            } catch (IOException norThis) {
                full.addSuppressed(norThis);
                throw full;
            }
        }
    }

    private void writeOver(String content) throws IOException {
        boolean hasSpare = Files.exists(spare);
        try (FileChannel channel = FileChannel.open(hasSpare ? spare : file, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8));
            int length = bytes.remaining();
            channel.write(bytes, 0);
            channel.truncate(length);
            channel.force(true);
        }
        if (hasSpare) {
            Files.move(spare, file, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    void takeBack() throws IOException {
        if (Files.exists(file)) {
            Files.move(file, spare, StandardCopyOption.ATOMIC_MOVE);
        }
    }
}
