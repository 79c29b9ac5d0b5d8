package dev.muster.formats.streams;

import java.io.IOException;
import java.io.OutputStream;

/** An output that is written in bulk; a single byte is a bulk of one. */
public abstract class BulkOutput extends OutputStream {
    /** As {@link OutputStream#write(byte[], int, int)}. */
    @Override
    public abstract void write(byte[] bytes, int offset, int length) throws IOException;

    @Override
    public final void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }
}
