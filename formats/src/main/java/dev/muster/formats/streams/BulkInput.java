package dev.muster.formats.streams;

import java.io.IOException;
import java.io.InputStream;

/** An input that is read in bulk; a single byte is a bulk of one. */
public abstract class BulkInput extends InputStream {
    /** As {@link InputStream#read(byte[], int, int)}. */
    @Override
    public abstract int read(byte[] bytes, int offset, int length) throws IOException;

    @Override
    public final int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }
}
