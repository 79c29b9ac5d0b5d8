package dev.muster.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.spi.JobFolders;
import dev.muster.telemetry.LogRequest.Attempts;
import dev.muster.testkit.Await;
import dev.muster.testkit.FakeClock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogReaderTest {
    private static final JobId JOB = new JobId("j1");
    private static final ProcessName WORKER0 = new ProcessName("worker", 0);
    private static final ProcessName WORKER1 = new ProcessName("worker", 1);
    private static final Attempts ALL = new Attempts.All();
    private static final Attempts LATEST = new Attempts.Latest();

    @TempDir
    Path home;

    private JobFolders folders;
    private LogReader reader;
    private final FakeClock clock = new FakeClock();
    private final List<Process> processes = new ArrayList<>();
    private final ExecutorService followers = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicBoolean over = new AtomicBoolean();

    @BeforeEach
    void layOut() {
        folders = new JobFolders(home);
        reader = new LogReader(folders, clock);
    }

    @AfterEach
    void endAll() {
        processes.forEach(Process::destroyForcibly);
        over.set(true);
        followers.close();
    }

    private static ProcessKey key(ProcessName name, int attempt) {
        return new ProcessKey(JOB, name, attempt);
    }

    private static LogRequest all(Attempts attempts) {
        return new LogRequest(JOB, Optional.empty(), attempts);
    }

    private static LogRequest one(ProcessName name, Attempts attempts) {
        return new LogRequest(JOB, Optional.of(name), attempts);
    }

    private void says(ProcessKey key, String text) throws IOException {
        says(key, text.getBytes(StandardCharsets.UTF_8));
    }

    private void says(ProcessKey key, byte[] bytes) throws IOException {
        Path log = folders.log(key);
        Files.createDirectories(log.getParent());
        Files.write(log, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** A real process whose output goes straight to its log, as the local backend has it. */
    private Process run(ProcessKey key, String script) throws IOException {
        Path log = folders.log(key);
        Files.createDirectories(log.getParent());
        Process process = new ProcessBuilder("sh", "-c", script)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(log.toFile()))
                .start();
        processes.add(process);
        return process;
    }

    private List<LogLine> lines(LogRequest request) throws IOException {
        List<LogLine> lines = new ArrayList<>();
        reader.read(request, lines::add);
        return lines;
    }

    private List<String> texts(LogRequest request) throws IOException {
        return lines(request).stream().map(LogLine::text).toList();
    }

    private Future<?> follow(LogRequest request, LogSink sink) {
        return followers.submit(() -> {
            reader.follow(request, over::get, sink);
            return null;
        });
    }

    private static void awaitSize(List<?> list, int size) {
        Await.until(size + " lines, so far " + list.size(), Duration.ofSeconds(20), () -> list.size() >= size);
    }

    @Test
    void b39_linesOfSeveralWorkersStayWhole() throws Exception {
        List<LogLine> followed = Collections.synchronizedList(new ArrayList<>());
        Future<?> end = follow(all(LATEST), followed::add);
        String pieces = "i=0; while [ $i -lt 200 ]; do printf W; printf %s \"$0\"; printf ' line '; printf '%s\\n' $i;"
                + " i=$((i+1)); done; printf 'unfinished '; printf 'last'";
        Process first = run(key(WORKER0, 1), pieces.replace("$0", "0"));
        Process second = run(key(WORKER1, 1), pieces.replace("$0", "1"));
        assertThat(first.waitFor() + second.waitFor()).isZero();
        over.set(true);
        end.get();
        for (List<LogLine> seen : List.of(followed, lines(all(LATEST)))) {
            assertThat(seen).hasSize(402);
            for (ProcessName name : List.of(WORKER0, WORKER1)) {
                List<String> own = seen.stream()
                        .filter(line -> line.from().name().equals(name))
                        .map(LogLine::text)
                        .toList();
                assertThat(own).hasSize(201).last().isEqualTo("unfinished last");
                for (int i = 0; i < 200; i++) {
                    assertThat(own.get(i)).isEqualTo("W" + name.index() + " line " + i);
                }
            }
        }
        assertThat(followed.getFirst().shown(true, false)).matches("worker-[01] \\| W[01] line 0");
        assertThat(followed.getFirst().shown(false, false)).matches("W[01] line 0");
    }

    @Test
    void b39_aProgressBarIsAFewLines() throws Exception {
        List<String> followed = Collections.synchronizedList(new ArrayList<>());
        Future<?> end = follow(one(WORKER0, LATEST), line -> followed.add(line.text()));
        Process process = run(
                key(WORKER0, 1),
                "i=0; while [ $i -le 10000 ]; do printf '\\r%s/10000' $i; i=$((i+1)); done; printf '\\n';"
                        + " printf '\\033[32mgreen\\033[0m\\n'; printf 'dos\\r\\n'; printf 'twice\\r\\r\\n'; printf 'done'");
        assertThat(process.waitFor()).isZero();
        over.set(true);
        end.get();
        String[] expected = {"10000/10000", "\u001b[32mgreen\u001b[0m", "dos", "twice", "done"};
        assertThat(followed).containsExactly(expected);
        assertThat(texts(one(WORKER0, LATEST))).containsExactly(expected);
        ByteArrayOutputStream raw = new ByteArrayOutputStream();
        reader.raw(key(WORKER0, 1), 0, Long.MAX_VALUE, raw);
        assertThat(raw.toString(StandardCharsets.UTF_8)).contains("\r9999/10000\r10000/10000\n");
    }

    @Test
    void b39_aBarThatNeverEndsALineIsSeenToMove() throws Exception {
        List<String> followed = Collections.synchronizedList(new ArrayList<>());
        Future<?> end = follow(one(WORKER0, LATEST), line -> followed.add(line.text()));
        says(key(WORKER0, 1), "start\n");
        awaitSize(followed, 1);
        AtomicInteger seconds = new AtomicInteger();
        Await.until("the bar is seen to move", Duration.ofSeconds(20), () -> {
            says(key(WORKER0, 1), "\r" + seconds.addAndGet(5) + " s");
            clock.advance(Duration.ofSeconds(5));
            return followed.size() >= 5;
        });
        says(key(WORKER0, 1), "\rend\n");
        over.set(true);
        end.get();
        // At most after 10, 20, 40 ... seconds.
        double most = Math.log(seconds.get() / 10.0) / Math.log(2) + 2;
        assertThat(followed).hasSizeLessThan(2 + (int) most).last().isEqualTo("end");
        assertThat(followed.get(1)).matches("\\d+ s");
    }

    @Test
    void b40_aByteThatIsNotUtf8IsReplacedAndTheRawLogUnchanged() throws Exception {
        byte[] said = {'h', 'i', '\n', (byte) 0x80, '\n', 'e', 'n', 'd'};
        says(key(WORKER0, 1), said);
        assertThat(texts(all(LATEST))).containsExactly("hi", "\ufffd", "end");
        ByteArrayOutputStream raw = new ByteArrayOutputStream();
        assertThat(reader.raw(key(WORKER0, 1), 0, 1000, raw)).isEqualTo(8);
        assertThat(raw.toByteArray()).isEqualTo(said);
        ByteArrayOutputStream part = new ByteArrayOutputStream();
        assertThat(reader.raw(key(WORKER0, 1), 3, 2, part)).isEqualTo(2);
        assertThat(part.toByteArray()).isEqualTo(new byte[] {(byte) 0x80, '\n'});
        assertThat(reader.size(key(WORKER0, 1))).isEqualTo(OptionalLong.of(8));
        assertThat(reader.size(key(WORKER1, 1))).isEmpty();
        assertThatThrownBy(() -> reader.raw(key(WORKER1, 1), 0, 1, part)).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void b42_aLineOf10MiBIsCutAndWhatFollowsIsServed() throws Exception {
        Process process = run(key(WORKER0, 1), "head -c 10485760 /dev/zero | tr '\\0' x; printf '\\nEND\\n'");
        assertThat(process.waitFor()).isZero();
        List<String> texts = texts(all(LATEST));
        assertThat(texts).hasSize(2).last().isEqualTo("END");
        assertThat(texts.getFirst())
                .hasSizeLessThan(70_000)
                .startsWith("xxx")
                .endsWith("x\u2026 (" + (10_485_760 - LineSource.LONGEST) + " bytes more)");
    }

    @Test
    void b42_memoryIsBoundedWhateverTheLineHolds() throws Exception {
        says(key(WORKER0, 1), new byte[0]);
        try (var out = Files.newOutputStream(folders.log(key(WORKER0, 1)))) {
            byte[] piece = "\u20ac".repeat(1 << 18).getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < 80; i++) {
                out.write(piece);
            }
            out.write("\nEND".getBytes(StandardCharsets.UTF_8));
        }
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        texts(all(LATEST));
        long before = threads.getCurrentThreadAllocatedBytes();
        List<String> texts = texts(all(LATEST));
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(3 << 20);
        assertThat(texts).hasSize(2).last().isEqualTo("END");
        assertThat(texts.getFirst()).doesNotContain("\ufffd");
    }

    @Test
    void b45_followWaitsAndGivesEachLineOnceAsItComes() throws Exception {
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        List<Long> arrived = Collections.synchronizedList(new ArrayList<>());
        Future<?> end = follow(one(WORKER0, LATEST), line -> {
            arrived.add(System.nanoTime());
            return lines.add(line.text());
        });
        List<Long> said = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            said.add(System.nanoTime());
            says(key(WORKER0, 1), "line " + i + "\n");
            awaitSize(lines, i + 1);
        }
        over.set(true);
        end.get();
        assertThat(lines).hasSize(10).doesNotHaveDuplicates().isSorted();
        for (int i = 0; i < 10; i++) {
            assertThat(Duration.ofNanos(arrived.get(i) - said.get(i))).isLessThan(Duration.ofSeconds(1));
        }
    }

    @Test
    void b45_followOfAJobThatNeverSpeaksEndsWithIt() throws Exception {
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        Future<?> end = follow(all(LATEST), line -> lines.add(line.text()));
        over.set(true);
        end.get();
        assertThat(lines).isEmpty();
    }

    @Test
    void b46_theLogOfEachAttemptIsThereAndMarked() throws Exception {
        List<String> followed = Collections.synchronizedList(new ArrayList<>());
        Future<?> end = follow(one(WORKER0, LATEST), line -> followed.add(line.shown(false, true)));
        String[] scripts = {"echo first; printf boom; exit 1", "echo second; exit 1", "echo third"};
        for (int attempt = 1; attempt <= 3; attempt++) {
            run(key(WORKER0, attempt), scripts[attempt - 1]).waitFor();
        }
        over.set(true);
        end.get();
        assertThat(followed).endsWith("a3 | third");
        LogRequest every = one(WORKER0, ALL);
        assertThat(lines(every).stream().map(line -> line.shown(true, true)))
                .containsExactly(
                        "worker-0 a1 | first", "worker-0 a1 | boom", "worker-0 a2 | second", "worker-0 a3 | third");
        assertThat(texts(one(WORKER0, new Attempts.Only(2)))).containsExactly("second");
        assertThat(texts(one(WORKER0, new Attempts.Only(7)))).isEmpty();
        assertThat(texts(one(WORKER0, LATEST))).containsExactly("third");
        assertThat(reader.logs(JOB)).containsExactly(key(WORKER0, 1), key(WORKER0, 2), key(WORKER0, 3));
    }

    @Test
    void b46_followGoesOnOverAttemptsAndProcesses() throws Exception {
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        Future<?> end = follow(all(LATEST), line -> lines.add(line.shown(true, true)));
        says(key(WORKER0, 1), "one\nhalf");
        awaitSize(lines, 1);
        says(key(WORKER0, 1), " whole");
        says(key(WORKER0, 2), "two\n");
        says(key(WORKER1, 1), "other\n");
        awaitSize(lines, 4);
        over.set(true);
        end.get();
        assertThat(lines)
                .containsExactlyInAnyOrder(
                        "worker-0 a1 | one", "worker-0 a1 | half whole", "worker-0 a2 | two", "worker-1 a1 | other")
                .startsWith("worker-0 a1 | one");
        assertThat(lines.indexOf("worker-0 a1 | half whole")).isLessThan(lines.indexOf("worker-0 a2 | two"));
    }

    @Test
    void linesOfSeveralProcessesAreMergedByTime() throws Exception {
        Instant start = Instant.ofEpochSecond(1_772_366_400);
        try (LogTimes.Writer zero = times(WORKER0);
                LogTimes.Writer one = times(WORKER1)) {
            for (int i = 0; i < 5; i++) {
                says(key(WORKER0, 1), "zero " + i + "\n");
                zero.seen(Files.size(folders.log(key(WORKER0, 1))), start.plusMillis(200L * i));
                says(key(WORKER1, 1), "one " + i + "\n");
                one.seen(Files.size(folders.log(key(WORKER1, 1))), start.plusMillis(200L * i + 100));
            }
        }
        assertThat(texts(all(LATEST)))
                .containsExactly(
                        "zero 0", "one 0", "zero 1", "one 1", "zero 2", "one 2", "zero 3", "one 3", "zero 4", "one 4");
        assertThat(lines(all(LATEST)).get(3).at()).isEqualTo(start.plusMillis(300));
        Files.delete(folders.logTimes(key(WORKER0, 1)));
        Files.delete(folders.logTimes(key(WORKER1, 1)));
        assertThat(texts(one(WORKER0, LATEST))).containsExactly("zero 0", "zero 1", "zero 2", "zero 3", "zero 4");
        assertThat(texts(all(LATEST))).hasSize(10);
    }

    private LogTimes.Writer times(ProcessName name) throws IOException {
        says(key(name, 1), "");
        return new LogTimes.Writer(folders.logTimes(key(name, 1)));
    }

    @Test
    void nothingIsReadWhileTheSinkWaits() throws Exception {
        Semaphore wanted = new Semaphore(0);
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        says(key(WORKER0, 1), "x\n".repeat(100_000));
        Future<?> end = follow(all(LATEST), line -> {
            wanted.acquireUninterruptibly();
            return lines.add(line.text());
        });
        wanted.release(3);
        awaitSize(lines, 3);
        assertThat(wanted.getQueueLength()).isLessThanOrEqualTo(1);
        assertThat(lines).hasSize(3);
        over.set(true);
        wanted.release(200_000);
        end.get();
        assertThat(lines).hasSize(100_000);
    }

    @Test
    void theSinkEndsTheReading() throws Exception {
        says(key(WORKER0, 1), "one\ntwo\nthree\n");
        List<String> lines = new ArrayList<>();
        reader.read(all(LATEST), line -> {
            lines.add(line.text());
            return lines.size() < 2;
        });
        assertThat(lines).containsExactly("one", "two");
        lines.clear();
        reader.follow(all(LATEST), () -> false, line -> {
            lines.add(line.text());
            return lines.size() < 2;
        });
        assertThat(lines).containsExactly("one", "two");
    }

    @Test
    void aLineKnowsWhereItBegins() throws Exception {
        says(key(WORKER0, 1), "one\n\u00e4\r\nthree");
        assertThat(lines(all(LATEST))).extracting(LogLine::offset).containsExactly(0L, 4L, 8L);
    }
}
