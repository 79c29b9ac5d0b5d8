package dev.muster.server.jobs;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Lines of text for one client. A write blocks while the client does not read; nothing is kept for it meanwhile. */
final class LineStream {
    private final OutputStream out;

    LineStream(OutputStream out) {
        this.out = out;
    }

    /** Adds a line; it is on its way at the next {@link #flush} at the latest. */
    void line(String text) throws IOException {
        out.write((text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    void flush() throws IOException {
        out.flush();
    }

    /** Ends the stream well. One that is not ended so is seen by the client to be cut. */
    void end() throws IOException {
        out.close();
    }
}
