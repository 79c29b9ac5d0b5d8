package dev.muster.artifacts.checkpoints;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Reads pieces of a file at given places, as little-endian buffers. */
final class Bytes implements AutoCloseable {
    private final FileChannel channel;

    Bytes(Path file) throws IOException {
        this.channel = FileChannel.open(file, StandardOpenOption.READ);
    }

    long size() throws IOException {
        return channel.size();
    }

    /** @throws EOFException when the file ends before */
    ByteBuffer at(long place, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (buffer.hasRemaining()) {
            if (place < 0 || channel.read(buffer, place + buffer.position()) < 0) {
                throw new EOFException();
            }
        }
        return buffer.flip();
    }

    /** The first bytes, fewer where the file is shorter. */
    ByteBuffer start(int length) throws IOException {
        return at(0, (int) Math.min(length, size()));
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
