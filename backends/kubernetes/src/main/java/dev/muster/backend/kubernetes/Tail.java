package dev.muster.backend.kubernetes;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The end of a file that grows by what a pod tells. Each byte is written at its own place, so that what is told twice, such as to an old and a new
 * service, is there once.
 */
final class Tail implements Closeable {
    private final FileChannel file;
    private long at;

    Tail(Path path) throws IOException {
        file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        at = file.size();
    }

    /** Where the next byte goes. */
    long size() {
        return at;
    }

    void add(byte[] bytes) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining()) {
            at += file.write(left, at);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
