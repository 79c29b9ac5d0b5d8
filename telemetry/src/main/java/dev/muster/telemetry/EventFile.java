package dev.muster.telemetry;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * A TensorBoard event file that grows: TFRecord framing (length, masked CRC-32C of the length, data, masked CRC-32C of the data; little
 * endian) around one {@link TrainingEvent} each. A record that is not complete yet is read when it is. Damage ends the reading of
 * that file: what follows cannot be told apart.
 */
final class EventFile {
    private static final int HEAD = 12;
    private static final int TAIL = 4;
    private static final long LONGEST_READ = 1 << 20;
    private static final long LONGEST = 1L << 32;

    private final Path path;
    private long offset;
    private boolean damaged;

    EventFile(Path path, long offset) {
        this.path = path;
        this.offset = offset;
    }

    Path path() {
        return path;
    }

    /** Where the next record begins. */
    long offset() {
        return offset;
    }

    /**
     * Reads complete records until the end or until about {@code budget} bytes are read.
     *
     * @return bytes read
     */
    long read(long budget, Consumer<TrainingEvent> events) throws IOException {
        long size = path.toFile().length();
        if (damaged || size - offset < HEAD) {
            return 0;
        }
        long start = offset;
        try (FileChannel channel = FileChannel.open(path)) {
            while (offset - start < budget && !damaged && record(channel, size, events)) {
                // The next one.
            }
        }
        return offset - start;
    }

    private boolean record(FileChannel channel, long size, Consumer<TrainingEvent> events) throws IOException {
        ByteBuffer head = bytes(channel, offset, HEAD);
        if (head == null) {
            return false;
        }
        long length = head.getLong(0);
        if (length < 0 || length > LONGEST || head.getInt(8) != masked(head.slice(0, 8))) {
            damaged = true;
            return false;
        }
        if (size < offset + HEAD + length + TAIL) {
            return false;
        }
        if (length <= LONGEST_READ) {
            ByteBuffer data = bytes(channel, offset + HEAD, (int) length + TAIL);
            if (data == null) {
                return false;
            }
            ByteBuffer message = data.slice(0, (int) length);
            if (data.getInt((int) length) != masked(message.slice())) {
                damaged = true;
                return false;
            }
            try {
                events.accept(TrainingEvent.read(message));
            } catch (IllegalArgumentException noEvent) {
                // Its frame is right, so the next record can be read.
            }
        }
        offset += HEAD + length + TAIL;
        return true;
    }

    private static ByteBuffer bytes(FileChannel channel, long from, int count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, from + bytes.position()) < 0) {
                return null;
            }
        }
        return bytes.flip();
    }

    private static int masked(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        int value = (int) crc.getValue();
        return (value >>> 15 | value << 17) + 0xa282ead8;
    }
}
