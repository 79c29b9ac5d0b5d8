package dev.muster.telemetry;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;

/**
 * The index of times beside a log: pairs of 8 bytes each, big endian, a size of the log and when (milliseconds since 1970) it was
 * seen to have that size. Both only grow. A pair that was cut short at the end is as if it were not there.
 */
final class LogTimes {
    private static final int PAIR = 16;

    private LogTimes() {}

    /** Adds to an index. For one thread. */
    static final class Writer implements Closeable {
        private final FileChannel channel;
        private final ByteBuffer pair = ByteBuffer.allocate(PAIR);
        private long size;
        private long millis;

        Writer(Path file) throws IOException {
            channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            long whole = channel.size() / PAIR * PAIR;
            if (whole > 0) {
                channel.read(pair, whole - PAIR);
                pair.flip();
                size = pair.getLong();
                millis = pair.getLong();
            }
            // A pair that was cut short is written over.
            channel.position(whole);
        }

        /** The log was seen with this size; one that is not beyond the last says nothing new. */
        void seen(long newSize, Instant at) throws IOException {
            if (newSize <= size) {
                return;
            }
            size = newSize;
            millis = Math.max(millis, at.toEpochMilli());
            pair.clear();
            pair.putLong(size).putLong(millis).flip();
            while (pair.hasRemaining()) {
                channel.write(pair);
            }
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /** Reads an index from its start, as the log is read from its start; pairs added meanwhile are seen. */
    static final class Reader implements Closeable {
        private final Path file;
        private DataInputStream in;
        private long read;
        private boolean ended;
        private long size;
        private Instant at = Instant.EPOCH;

        Reader(Path file) {
            this.file = file;
        }

        /** The log was read further, so there may be more here too. */
        void grown() {
            ended = false;
        }

        /** When the byte at this place of the log was first seen; empty when the index does not say. Places only go up. */
        Optional<Instant> of(long offset) throws IOException {
            while (size <= offset) {
                if (ended || !next()) {
                    ended = true;
                    return Optional.empty();
                }
            }
            return Optional.of(at);
        }

        private boolean next() throws IOException {
            if (in == null && !open()) {
                return false;
            }
            try {
                long nextSize = in.readLong();
                at = Instant.ofEpochMilli(in.readLong());
                size = nextSize;
                read += PAIR;
                return true;
            } catch (EOFException noMore) {
                close();
                return false;
            }
        }

        private boolean open() throws IOException {
            try {
                if (Files.size(file) < read + PAIR) {
                    return false;
                }
                FileChannel channel = FileChannel.open(file);
                channel.position(read);
                in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel), 4096));
                return true;
            } catch (NoSuchFileException none) {
                return false;
            }
        }

        @Override
        public void close() throws IOException {
            if (in != null) {
                in.close();
                in = null;
            }
        }
    }
}
