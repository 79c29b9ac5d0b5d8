package dev.muster.formats.streams;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.function.Supplier;

/** The next bytes of a stream, so many and no more. Closing it leaves the stream open. */
public final class BoundedInput extends BulkInput {
    private final InputStream in;
    private final Supplier<? extends IOException> brokenOff;
    private long left;

    /**
     * @param length    bytes, not negative
     * @param brokenOff what is thrown when the stream ends before
     */
    public BoundedInput(InputStream in, long length, Supplier<? extends IOException> brokenOff) {
        this.in = in;
        this.left = length;
        this.brokenOff = brokenOff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (left == 0 || length == 0) {
            return length == 0 ? 0 : -1;
        }
        int count = in.read(bytes, offset, (int) Math.min(length, left));
        if (count < 0) {
            throw brokenOff.get();
        }
        left -= count;
        return count;
    }

    /** No more than belongs to it, so that who asks does not wait for what comes after. */
    @Override
    public int available() throws IOException {
        return (int) Math.min(in.available(), left);
    }
}
