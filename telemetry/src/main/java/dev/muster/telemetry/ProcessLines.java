package dev.muster.telemetry;

import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.spi.JobFolders;
import dev.muster.telemetry.LogRequest.Attempts;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalInt;

/** The lines of one process, over its attempts. */
final class ProcessLines implements Closeable {
    private static final Duration FIRST_BAR = Duration.ofSeconds(10);

    private final JobFolders folders;
    private final JobId job;
    private final ProcessName name;
    private final Attempts attempts;
    private LineSource source;
    private int attempt;
    private LogLine head;
    private Duration barApart = FIRST_BAR;
    private Instant barAt;

    ProcessLines(JobFolders folders, JobId job, ProcessName name, Attempts attempts) {
        this.folders = folders;
        this.job = job;
        this.name = name;
        this.attempts = attempts;
    }

    /** The next line without taking it; null when there is none now. {@code over} says that nothing will be added any more. */
    LogLine peek(boolean over) throws IOException {
        while (head == null) {
            if (source == null && !open()) {
                return null;
            }
            head = source.next();
            if (head != null) {
                barAt = null;
                barApart = FIRST_BAR;
                return head;
            }
            boolean more = nextAttempt().isPresent();
            if (!more && !over) {
                return null;
            }
            // The next attempt begins when this one has ended, so whatever it had to say is there now.
            head = source.next();
            if (head == null) {
                head = source.rest();
            }
            if (head == null) {
                if (!more) {
                    return null;
                }
                source.close();
                source = null;
            }
        }
        return head;
    }

    /** The line that was peeked at. */
    LogLine head() {
        return head;
    }

    LogLine take() {
        LogLine taken = head;
        head = null;
        return taken;
    }

    /**
     * A progress bar that is drawn all the time without a line ever ending is shown after 10, 20, 40 ... seconds, so that one who
     * follows sees it move in a few lines; null when it is not time.
     */
    LogLine bar(Instant now) throws IOException {
        if (source == null || head != null || !source.hasBar()) {
            return null;
        }
        if (barAt == null) {
            barAt = now;
        }
        if (now.isBefore(barAt.plus(barApart))) {
            return null;
        }
        barAt = now;
        barApart = barApart.multipliedBy(2);
        return source.bar();
    }

    private boolean open() throws IOException {
        OptionalInt next = nextAttempt();
        if (next.isEmpty()) {
            return false;
        }
        attempt = next.getAsInt();
        ProcessKey key = new ProcessKey(job, name, attempt);
        source = new LineSource(key, folders.log(key), folders.logTimes(key));
        return true;
    }

    /** The attempt to read after the one that is read now. */
    private OptionalInt nextAttempt() throws IOException {
        var there = LogFolder.attempts(folders, job, name).stream().mapToInt(Integer::intValue);
        return switch (attempts) {
            case Attempts.Only only ->
                attempt == 0 ? there.filter(each -> each == only.number()).findFirst() : OptionalInt.empty();
            case Attempts.All ignored -> there.filter(each -> each > attempt).min();
            case Attempts.Latest ignored ->
                attempt == 0
                        ? there.max()
                        : there.filter(each -> each > attempt).min();
        };
    }

    @Override
    public void close() throws IOException {
        if (source != null) {
            source.close();
        }
    }
}
