package dev.muster.server.http;

import java.io.IOException;
import java.io.InputStream;

/** The body of a request. Whatever is thrown while it is read is a {@link BrokenBodyException}, to be told from faults of the service. */
final class RequestBody extends InputStream {
    private final InputStream in;

    RequestBody(InputStream in) {
        this.in = in;
    }

    @Override
    public int read() throws IOException {
        try {
            return in.read();
        } catch (IOException | RuntimeException broken) {
            throw new BrokenBodyException(broken);
        }
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        try {
            return in.read(bytes, offset, length);
        } catch (IOException | RuntimeException broken) {
            throw new BrokenBodyException(broken);
        }
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
