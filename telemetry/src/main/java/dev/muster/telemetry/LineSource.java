package dev.muster.telemetry;

import dev.muster.model.ProcessKey;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/** The lines of one log, one by one from its start, also while it grows. Memory is bounded, whatever the log holds. */
final class LineSource implements Closeable {
    /** Bytes of a line that are shown. */
    static final int LONGEST = 64 * 1024;

    private final ProcessKey key;
    private final Path log;
    private final Tail tail;
    private final LogTimes.Reader times;
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16).limit(0);
    private byte[] text = new byte[256];
    private int length;
    private long more;
    private boolean returned;
    private byte[] bar = new byte[0];
    private int barLength;
    private long lineStart;
    private long offset;
    private Instant modified = Instant.EPOCH;
    private Instant newest = Instant.EPOCH;

    LineSource(ProcessKey key, Path log, Path timesFile) {
        this.key = key;
        this.log = log;
        this.tail = new Tail(log, 0);
        this.times = new LogTimes.Reader(timesFile);
    }

    /** The next line that is complete; null when there is none yet. */
    LogLine next() throws IOException {
        while (buffer.hasRemaining() || refill()) {
            while (buffer.hasRemaining()) {
                byte b = buffer.get();
                offset++;
                if (b == '\n') {
                    return line();
                }
                put(b);
            }
        }
        return null;
    }

    /** What stands after the last complete line, as a line of its own; null when nothing does. */
    LogLine rest() throws IOException {
        return offset > lineStart ? line() : null;
    }

    /** Whether the unfinished line is a progress bar that has been drawn. */
    boolean hasBar() {
        return barLength > 0;
    }

    /** What the unfinished progress bar shows now; the line goes on. */
    LogLine bar() throws IOException {
        return new LogLine(key, time(), lineStart, new String(bar, 0, barLength, StandardCharsets.UTF_8));
    }

    private boolean refill() throws IOException {
        int count = tail.read(buffer);
        buffer.position(0).limit(count);
        if (count > 0) {
            times.grown();
            modified = Instant.ofEpochMilli(log.toFile().lastModified());
        }
        return count > 0;
    }

    private void put(byte b) {
        if (b == '\r') {
            returned = true;
            return;
        }
        if (returned) {
            // Written over from here on. What was drawn before is kept as the state of the bar.
            byte[] drawn = text;
            text = bar.length == 0 ? new byte[256] : bar;
            bar = drawn;
            barLength = whole(drawn, length);
            length = 0;
            more = 0;
            returned = false;
        }
        if (length < LONGEST) {
            if (length == text.length) {
                text = Arrays.copyOf(text, Math.min(LONGEST, 2 * length));
            }
            text[length++] = b;
        } else {
            more++;
        }
    }

    private LogLine line() throws IOException {
        int shown = more > 0 ? whole(text, length) : length;
        String line = new String(text, 0, shown, StandardCharsets.UTF_8);
        if (more > 0) {
            line += "\u2026 (" + (more + length - shown) + " bytes more)";
        }
        LogLine done = new LogLine(key, time(), lineStart, line);
        lineStart = offset;
        length = 0;
        more = 0;
        returned = false;
        barLength = 0;
        return done;
    }

    private Instant time() throws IOException {
        Optional<Instant> seen = times.of(lineStart);
        Instant at = seen.orElse(modified);
        newest = at.isAfter(newest) ? at : newest;
        return newest;
    }

    /** The length without a character that was cut in two at the end. */
    private static int whole(byte[] bytes, int length) {
        int start = length - 1;
        while (start > 0 && start > length - 4 && (bytes[start] & 0xc0) == 0x80) {
            start--;
        }
        if (start < 0 || bytes[start] >= 0) {
            return length;
        }
        int lead = bytes[start] & 0xff;
        int needed = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
        return start + needed > length ? start : length;
    }

    @Override
    public void close() throws IOException {
        tail.close();
        times.close();
    }
}
