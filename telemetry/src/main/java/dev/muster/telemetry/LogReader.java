package dev.muster.telemetry;

import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.spi.Clock;
import dev.muster.spi.JobFolders;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * Reads logs for people: lines of all processes merged by time, of one process, of one attempt, to the end or as they come. Any thread
 * may call; each call reads on the caller's thread, needs some 128 KiB for each process, and goes only as fast as its sink.
 */
public final class LogReader {
    private static final long APART_MILLIS = 150;

    private final JobFolders folders;
    private final Clock clock;

    public LogReader(JobFolders folders, Clock clock) {
        this.folders = folders;
        this.clock = clock;
    }

    /** Every attempt of the job that has a log, in the order of processes and attempts. */
    public List<ProcessKey> logs(JobId job) throws IOException {
        List<ProcessKey> keys = new ArrayList<>();
        for (ProcessName name : LogFolder.processes(folders, job)) {
            for (int attempt : LogFolder.attempts(folders, job, name)) {
                keys.add(new ProcessKey(job, name, attempt));
            }
        }
        return keys;
    }

    /** Gives every line there is now, an unfinished last one too. What has no log gives nothing. */
    public void read(LogRequest request, LogSink sink) throws IOException {
        try (Reading reading = new Reading(request, sink)) {
            reading.discover();
            reading.drain(true);
        }
    }

    /**
     * Gives every line from the first on, each once and as it comes, over attempts, and returns when nothing more can come or the
     * sink wants no more. A line is given when it is complete; the unfinished last line of an attempt when the attempt is over.
     *
     * @param over whether the job is final; asked a few times a second, by then all must have been written
     */
    public void follow(LogRequest request, BooleanSupplier over, LogSink sink)
            throws IOException, InterruptedException {
        try (Reading reading = new Reading(request, sink)) {
            boolean last = false;
            while (!last) {
                last = over.getAsBoolean();
                reading.discover();
                if (!reading.drain(last)) {
                    return;
                }
                if (!last) {
                    Thread.sleep(APART_MILLIS);
                }
            }
        }
    }

    /** Size of a raw log in bytes; empty when there is none. */
    public OptionalLong size(ProcessKey key) throws IOException {
        try {
            return OptionalLong.of(Files.size(folders.log(key)));
        } catch (NoSuchFileException none) {
            return OptionalLong.empty();
        }
    }

    /**
     * Copies bytes of a raw log unchanged.
     *
     * @param from  first byte
     * @param count at most so many; fewer where the log ends before
     * @return bytes copied
     * @throws NoSuchFileException when there is no such log
     */
    public long raw(ProcessKey key, long from, long count, OutputStream out) throws IOException {
        WritableByteChannel target = Channels.newChannel(out);
        try (FileChannel channel = FileChannel.open(folders.log(key))) {
            long copied = 0;
            while (copied < count) {
                long some = channel.transferTo(from + copied, Math.min(count - copied, 1 << 16), target);
                if (some <= 0) {
                    break;
                }
                copied += some;
            }
            return copied;
        }
    }

    /** One call of {@link #read} or {@link #follow}. */
    private final class Reading implements AutoCloseable {
        private final LogRequest request;
        private final LogSink sink;
        private final Map<ProcessName, ProcessLines> processes = new TreeMap<>();

        Reading(LogRequest request, LogSink sink) {
            this.request = request;
            this.sink = sink;
        }

        /** Takes up processes that have a log now. */
        void discover() throws IOException {
            Optional<ProcessName> one = request.process();
            for (ProcessName name :
                    one.isPresent() ? List.of(one.get()) : LogFolder.processes(folders, request.job())) {
                processes.computeIfAbsent(
                        name, each -> new ProcessLines(folders, request.job(), each, request.attempts()));
            }
        }

        /** Gives what is there, the oldest line first; false when the sink wants no more. */
        boolean drain(boolean over) throws IOException {
            // One that has nothing more is not asked again in this round: asking costs a look at its folder.
            List<ProcessLines> ready = new ArrayList<>();
            for (ProcessLines process : processes.values()) {
                if (process.peek(over) != null) {
                    ready.add(process);
                }
            }
            while (!ready.isEmpty()) {
                ProcessLines oldest = oldest(ready);
                if (!sink.line(oldest.take())) {
                    return false;
                }
                if (oldest.peek(over) == null) {
                    ready.remove(oldest);
                }
            }
            return over || bars();
        }

        private static ProcessLines oldest(List<ProcessLines> ready) {
            ProcessLines oldest = ready.getFirst();
            for (ProcessLines process : ready) {
                if (process.head().at().isBefore(oldest.head().at())) {
                    oldest = process;
                }
            }
            return oldest;
        }

        private boolean bars() throws IOException {
            for (ProcessLines process : processes.values()) {
                LogLine bar = process.bar(clock.now());
                if (bar != null && !sink.line(bar)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public void close() throws IOException {
            for (ProcessLines process : processes.values()) {
                process.close();
            }
        }
    }
}
