package dev.muster.backend.kubernetes;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;

/** The pieces that {@code follow.sh} sends: a line "KIND LENGTH", then that many bytes. */
final class Frames {
    private static final int LONGEST_LINE = 64;
    private static final int LARGEST = 64 * 1024 * 1024;

    private final InputStream in;

    Frames(InputStream in) {
        this.in = in;
    }

    /** What a piece is. */
    enum Kind {
        /** Next bytes of the log. */
        LOG,
        /** Next bytes of the report file. */
        REPORTS,
        /** The program has joined. */
        JOINED,
        /** All files of the checkpoint folder. */
        FILES,
        /** They are as they were. */
        SAME,
        /** Nothing new. */
        ALIVE,
        /** Everything was told of what is another attempt now. */
        BECAME,
        /** Everything was told. */
        END
    }

    record Frame(Kind kind, byte[] bytes) {
        String text() {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    /** The next piece; waits for it. A stream that ends before {@link Kind#END} is an error. */
    Frame next() throws IOException {
        String line = line();
        int space = line.indexOf(' ');
        try {
            Kind kind = Kind.valueOf(line.substring(0, Math.max(space, 0)).toUpperCase(java.util.Locale.ROOT));
            int length = Integer.parseInt(line.substring(space + 1));
            if (length < 0 || length > LARGEST) {
                throw new ProtocolException("a piece of " + length + " bytes is too long");
            }
            byte[] bytes = in.readNBytes(length);
            if (bytes.length < length) {
                throw new EOFException("what the pod tells breaks off");
            }
            return new Frame(kind, bytes);
        } catch (IllegalArgumentException garbled) {
            throw (IOException) new ProtocolException("what the pod tells is garbled: " + line).initCause(garbled);
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        int read = in.read();
        while (read >= 0 && read != '\n' && line.length() < LONGEST_LINE) {
            line.append((char) read);
            read = in.read();
        }
        if (read < 0) {
            throw new EOFException("what the pod tells breaks off");
        }
        return line.toString();
    }
}
