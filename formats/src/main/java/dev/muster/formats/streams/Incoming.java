package dev.muster.formats.streams;

import dev.muster.formats.tar.TarException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.file.FileSystemException;

/**
 * What comes from elsewhere to be kept here. It remembers how it went, so that a full disk of this machine is not taken for a connection that was lost.
 * Not thread-safe.
 */
public final class Incoming extends BulkInput {
    private final InputStream from;
    private boolean over;

    public Incoming(InputStream from) {
        this.from = from;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        try {
            int count = from.read(bytes, offset, length);
            over |= count < 0;
            return count;
        } catch (IOException broken) {
            over = true;
            throw broken;
        }
    }

    @Override
    public int available() throws IOException {
        return from.available();
    }

    @Override
    public void close() throws IOException {
        from.close();
    }

    /**
     * Whether this machine could not keep what came: the stream did not end, did not break and held nothing wrong.
     *
     * @param problem what ended its reading
     */
    public boolean couldNotBeKept(IOException problem) {
        boolean sentSo = problem instanceof EOFException
                || problem instanceof ProtocolException
                || problem instanceof TarException;
        return problem instanceof FileSystemException || !over && !sentSo;
    }
}
