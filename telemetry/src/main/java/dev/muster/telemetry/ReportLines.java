package dev.muster.telemetry;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Finds reports in a stream of bytes that comes in pieces of any size. In a log a report is a line that starts with
 * {@code ::muster::}, also behind the tag that torchrun, horovodrun or mpirun put before a child's line when the tag is that of
 * local rank 0; in a report file it is every line. Memory is bounded by the longest legal report.
 */
final class ReportLines {
    /** The longest report, in bytes. */
    static final int LONGEST = 64 * 1024;

    private static final byte[] MARK = "::muster::".getBytes(StandardCharsets.US_ASCII);
    private static final int LONGEST_TAG = 64;

    private final boolean marked;
    private byte[] line = new byte[256];
    private int length;
    private int consumed;
    private State state;

    /** What the bytes of the current line are. */
    private enum State {
        /** They may still become a mark. */
        HEAD,
        /** The content of a report. */
        REPORT,
        /** Of no interest up to the end of the line. */
        OTHER,
        /** A report that is too long. */
        TOO_LONG
    }

    /** Takes what is found. */
    interface Sink {
        void report(byte[] json);

        void tooLong();
    }

    /**
     * A new stream.
     *
     * @param marked whether only lines with the mark are reports
     */
    ReportLines(boolean marked) {
        this.marked = marked;
        begin();
    }

    void feed(byte[] bytes, int count, Sink sink) {
        int i = 0;
        while (i < count) {
            if (state == State.OTHER) {
                while (i < count && bytes[i] != '\n' && bytes[i] != '\r') {
                    i++;
                }
                if (i < count) {
                    i++;
                    begin();
                }
            } else {
                next(bytes[i], sink);
                i++;
            }
        }
    }

    /** The stream is over: a line without its end is a line. */
    void end(Sink sink) {
        next((byte) '\n', sink);
    }

    /** How many of the bytes fed last belong to a line that is not complete and may be a report. */
    int pending() {
        return state == State.HEAD || state == State.REPORT ? consumed : 0;
    }

    private void begin() {
        length = 0;
        consumed = 0;
        state = marked ? State.HEAD : State.REPORT;
    }

    private void next(byte b, Sink sink) {
        consumed++;
        if (b == '\n') {
            if (state == State.REPORT && length > 0) {
                sink.report(Arrays.copyOf(line, length));
            } else if (state == State.TOO_LONG) {
                sink.tooLong();
            }
            begin();
        } else if (state == State.HEAD && b == '\r') {
            begin();
        } else if (state == State.REPORT && length == LONGEST) {
            state = State.TOO_LONG;
        } else if (state != State.TOO_LONG) {
            if (length == line.length) {
                line = Arrays.copyOf(line, Math.min(LONGEST, 2 * length));
            }
            line[length++] = b;
            if (state == State.HEAD) {
                head(b);
            }
        }
    }

    private void head(byte b) {
        int tag = tagEnd();
        if (tag < 0) {
            if (length > LONGEST_TAG) {
                state = State.OTHER;
            }
            return;
        }
        int at = length - 1 - tag;
        if (at < 0) {
            return;
        }
        if (at >= MARK.length || b != MARK[at] || !ofRankZero(tag)) {
            state = State.OTHER;
        } else if (at == MARK.length - 1) {
            state = State.REPORT;
            length = 0;
        }
    }

    /** Where the tag ends: 0 without one; -1 while it is not complete. A tag is {@code [...]:} or {@code [...]<stdout>:}. */
    private int tagEnd() {
        if (line[0] != '[') {
            return 0;
        }
        for (int i = 2; i < length; i++) {
            if (line[i] == ':' && (line[i - 1] == ']' || line[i - 1] == '>')) {
                return i + 1;
            }
        }
        return -1;
    }

    private boolean ofRankZero(int tag) {
        int close = tag - 1;
        while (close > 0 && line[close] != ']') {
            close--;
        }
        return tag == 0 || line[close - 1] == '0' && (close < 2 || line[close - 2] < '0' || line[close - 2] > '9');
    }
}
