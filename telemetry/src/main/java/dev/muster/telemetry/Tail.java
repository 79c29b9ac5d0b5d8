package dev.muster.telemetry;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** Reads what is added to a file; one that is not there yet is empty, one that became shorter is read anew. */
final class Tail implements Closeable {
    private final Path path;
    private FileChannel channel;
    private long offset;

    Tail(Path path, long offset) {
        this.path = path;
        this.offset = offset;
    }

    /** Where the next byte is read. */
    long offset() {
        return offset;
    }

    /** Fills the buffer as far as the file goes; returns the number of bytes, 0 when there is nothing new. */
    int read(ByteBuffer buffer) throws IOException {
        buffer.clear();
        long size = path.toFile().length();
        if (size < offset) {
            close();
            offset = 0;
        }
        if (size <= offset) {
            return 0;
        }
        if (channel == null) {
            channel = FileChannel.open(path);
        }
        int count = Math.max(0, channel.read(buffer, offset));
        offset += count;
        return count;
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
            channel = null;
        }
    }
}
