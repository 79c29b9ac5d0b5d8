package dev.muster.server.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;

/**
 * The body of a request. Whatever is thrown while it is read is a {@link BrokenBodyException}, to be told from faults of the service;
 * one that comes too slowly is broken off.
 */
final class RequestBody extends InputStream {
    private final InputStream in;
    private final Patience patience;
    private long bytes;
    /** Time that was spent waiting for the client: what the service does between two reads is not the client's. */
    private long waited;

    RequestBody(InputStream in, Patience patience) {
        this.in = in;
        this.patience = patience;
    }

    private interface Reading {
        int read() throws IOException;
    }

    private int timed(Reading reading, boolean single) throws IOException {
        long before = System.nanoTime();
        int read;
        try {
            read = reading.read();
        } catch (IOException | RuntimeException broken) {
            throw new BrokenBodyException(broken);
        }
        waited += System.nanoTime() - before;
        bytes += single ? 1 : Math.max(0, read);
        if (read >= 0 && patience.isExhausted(Duration.ofNanos(waited), bytes)) {
            throw new BrokenBodyException(new SocketTimeoutException(bytes + " bytes of the body came in "
                    + Duration.ofNanos(waited).toSeconds() + " s"));
        }
        return read;
    }

    @Override
    public int read() throws IOException {
        return timed(in::read, true);
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        return timed(() -> in.read(buffer, offset, length), false);
    }

    @Override
    public void close() throws IOException {
        try {
            in.close();
        } catch (IOException | RuntimeException broken) {
            throw new BrokenBodyException(broken);
        }
    }
}
