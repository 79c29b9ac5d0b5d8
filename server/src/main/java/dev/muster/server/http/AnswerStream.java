package dev.muster.server.http;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

/**
 * An answer on its way, handed over a piece at a time, so that it shows whether its client reads. For one that does not, {@link Reading} closes the
 * connection in the middle of a piece; one that reads a byte now and then is cut off here.
 */
final class AnswerStream extends OutputStream {
    private static final int PIECE = 64 << 10;

    private final OutputStream out;
    private final Reading reading;
    private final Patience patience;
    private long waited;
    private long bytes;

    /** Is told when something is being handed over to a client. */
    interface Reading {
        /** From now on the client is waited for. */
        void begins();

        /** It has taken what there was. */
        void ends();
    }

    AnswerStream(OutputStream out, Reading reading, Patience patience) {
        this.out = out;
        this.reading = reading;
        this.patience = patience;
    }

    /** Something that may wait for the client. */
    private interface Step {
        void run() throws IOException;
    }

    private void handOver(int length, Step step) throws IOException {
        long begun = System.nanoTime();
        reading.begins();
        try {
            step.run();
        } finally {
            reading.ends();
        }
        waited += System.nanoTime() - begun;
        bytes += length;
        if (patience.isExhausted(Duration.ofNanos(waited), bytes)) {
            throw new IOException("the client takes too long to read the answer");
        }
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] data, int from, int length) throws IOException {
        for (int done = 0; done < length; done += PIECE) {
            int begin = from + done;
            int size = Math.min(PIECE, length - done);
            handOver(size, () -> out.write(data, begin, size));
        }
    }

    @Override
    public void flush() throws IOException {
        handOver(0, out::flush);
    }

    @Override
    public void close() throws IOException {
        handOver(0, out::close);
    }
}
