package dev.muster.telemetry;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Finds reports in a stream of bytes that comes in pieces of any size. In a log a report begins with {@code ::muster::} at the start
 * of a line, also behind the tag that torchrun, horovodrun or mpirun put before a child's line, or with <code>::muster::{</code>
 * anywhere in it: a progress bar without an end of line may stand before it. What follows the tag of another than local rank 0 is no
 * report. In a report file every line is one. Memory is bounded by the longest legal report.
 */
final class ReportLines {
    /** The longest report, in bytes. */
    static final int LONGEST = 64 * 1024;

    private static final byte[] MARK = "::muster::{".getBytes(StandardCharsets.US_ASCII);
    private static final int AT_THE_START = MARK.length - 1;
    private static final int LONGEST_TAG = 64;

    private final boolean marked;
    private byte[] line = new byte[256];
    private int length;
    private int consumed;
    private int matched;
    private State state;

    /** What the bytes of the current line are. */
    private enum State {
        /** They may still become a tag and a mark. */
        HEAD,
        /** Not a report so far; a mark may follow. */
        TEXT,
        /** The content of a report. */
        REPORT,
        /** Of another rank up to the end of the line. */
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
            while (i < count && isOfNoInterest(bytes[i])) {
                i++;
            }
            if (i < count) {
                next(bytes[i], sink);
                i++;
            }
        }
    }

    private boolean isOfNoInterest(byte b) {
        return b != '\n' && b != '\r' && (state == State.OTHER || state == State.TEXT && matched == 0 && b != MARK[0]);
    }

    /** The stream is over: a line without its end is a line. */
    void end(Sink sink) {
        next((byte) '\n', sink);
    }

    /** How many of the bytes fed last belong to a line, or the end of one, that is not complete and may be a report. */
    int pending() {
        return switch (state) {
            case HEAD, REPORT -> consumed;
            case TEXT -> matched;
            case OTHER, TOO_LONG -> 0;
        };
    }

    private void begin() {
        length = 0;
        consumed = 0;
        matched = 0;
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
            return;
        }
        switch (state) {
            case HEAD, TEXT, OTHER -> {
                if (b == '\r') {
                    begin();
                } else if (state != State.OTHER) {
                    text(b);
                }
            }
            case REPORT -> {
                if (length == LONGEST) {
                    state = State.TOO_LONG;
                } else {
                    keep(b);
                }
            }
            case TOO_LONG -> {}
        }
    }

    private void keep(byte b) {
        if (length == line.length) {
            line = Arrays.copyOf(line, Math.min(LONGEST, 2 * length));
        }
        line[length++] = b;
    }

    private void text(byte b) {
        matched = matched(b);
        if (state == State.HEAD) {
            keep(b);
            head(b);
        }
        if (matched == MARK.length && state == State.TEXT) {
            state = State.REPORT;
            length = 0;
            consumed = matched;
            keep(b);
        }
    }

    /** How much of the mark the text ends with now. */
    private int matched(byte b) {
        if (b == MARK[matched]) {
            return matched + 1;
        }
        // The mark has two colons at two places, and any of three in a row may be the first of them.
        boolean afterTwo = matched == 2 || matched == AT_THE_START;
        return b != MARK[0] ? 0 : afterTwo ? 2 : 1;
    }

    private void head(byte b) {
        int tag = tagEnd();
        if (tag < 0) {
            if (length > LONGEST_TAG || matched == MARK.length) {
                state = State.TEXT;
            }
            return;
        }
        if (!ofRankZero(tag)) {
            state = State.OTHER;
            return;
        }
        int at = length - 1 - tag;
        if (at >= 0 && b != MARK[at]) {
            state = State.TEXT;
        } else if (at == AT_THE_START - 1) {
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
