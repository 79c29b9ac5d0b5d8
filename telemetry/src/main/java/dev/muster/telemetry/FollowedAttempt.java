package dev.muster.telemetry;

import dev.muster.model.ProcessKey;
import dev.muster.spi.JobFolders;
import dev.muster.spi.JobStore.Point;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** One attempt whose log, report file and event files are read as they grow. For one thread at a time. */
final class FollowedAttempt {
    private static final int BUDGET = 4 << 20;
    private static final Duration SAVE_APART = Duration.ofSeconds(5);
    private static final Duration LOOK_SOON = Duration.ofSeconds(5);
    private static final Duration LOOK_LATE = Duration.ofSeconds(30);
    private static final List<String> SAID_ONCE = List.of("\"checkpoint\"", "\"badRecords\"", "\"total\"", "\"ranks\"");
    private static final int MOST_REFUSALS = 5;
    private static final int MOST_OF_RANKS = 50;
    private static final Duration SKEW = Duration.ofMinutes(1);

    private final ProcessKey key;
    private final boolean chief;
    private final JobFolders folders;
    private final Remarks remarks;
    /** What is wrong with its reports, each kind once. */
    private final Set<String> refusals = new LinkedHashSet<>();

    /** What its launcher told of the ranks below it. */
    private final Set<String> ofRanks = new LinkedHashSet<>();

    private final Said said = new Said();
    private final ReportLines logLines = new ReportLines(true);
    private final ReportLines fileLines = new ReportLines(false);
    private final Deque<byte[]> waiting = new ArrayDeque<>();
    private final Allowance allowance = new Allowance();
    private final List<Point> points = new ArrayList<>();
    private final EventFiles events;
    private Tail log;
    private Tail reports;
    private Optional<LogTimes.Writer> times = Optional.empty();
    private Optional<Instant> looked = Optional.empty();
    private Duration lookAgain = LOOK_SOON.dividedBy(2);
    private Instant saved = Instant.MIN;
    private Instant since = Instant.EPOCH;
    private boolean unsaved;
    private boolean hungry;
    private boolean over;

    FollowedAttempt(ProcessKey key, boolean chief, JobFolders folders, Consumer<String> remark) throws IOException {
        this.key = key;
        this.chief = chief;
        this.folders = folders;
        this.remarks = new Remarks(remark);
        this.events = new EventFiles(
                chief ? List.of(folders.model(key), folders.code(key), folders.checkpoints(key.job())) : List.of());
        SavedState state = new SavedState();
        Optional<SavedState> before = SavedState.read(folders.logState(key));
        if (before.isPresent()) {
            state = before.get();
            said.resume(state);
            state.events.forEach(events::resume);
            since = state.since;
            looked = Optional.of(Instant.MIN);
        }
        log = new Tail(folders.log(key), state.logOffset);
        reports = new Tail(folders.reports(key), state.reportOffset);
    }

    /** Takes note of the event files that lie there: they are of an earlier attempt, all that come from now on are its own. */
    void begin(Instant now) throws IOException {
        if (chief && looked.isEmpty()) {
            events.look(true);
            since = now;
            looked = Optional.of(now);
            unsaved = true;
        }
    }

    ProcessKey key() {
        return key;
    }

    boolean chief() {
        return chief;
    }

    boolean over() {
        return over;
    }

    Said said() {
        return said;
    }

    /** What was wrong with reports of it since this service reads them, a sentence a kind, the first few kinds. */
    Set<String> refusals() {
        return refusals;
    }

    /** What its launcher told of the ranks below it, since this service reads it, the first ones. */
    Set<String> ofRanks() {
        return ofRanks;
    }

    /** Points of metrics that nobody has taken yet. */
    List<Point> points() {
        return points;
    }

    /** Reads what is new, as much as its share; true when anything was. */
    boolean read(ByteBuffer buffer, Instant now) throws IOException {
        if (over) {
            return false;
        }
        hungry = false;
        boolean any = readLog(buffer, now) | readReports(buffer) | !waiting.isEmpty();
        apply(now, allowance.at(now));
        any |= readEvents(now, looked.isPresent() && !now.isBefore(later(looked.get())));
        unsaved |= any;
        if (any) {
            said.output(now);
        }
        remarks.tell(now);
        return any;
    }

    private void refuse(String why) {
        remarks.add(why);
        if (refusals.size() < MOST_REFUSALS) {
            refusals.add(why);
        }
    }

    private void noteRanks(Report report) {
        report.ofRanks().filter(sentence -> ofRanks.size() < MOST_OF_RANKS).ifPresent(ofRanks::add);
    }

    void remark(String text, Instant now) {
        remarks.add(text);
        remarks.tell(now);
    }

    /** Whether so much was read that more may be waiting. */
    boolean hungry() {
        return hungry;
    }

    /** Whether its state should be kept now. */
    boolean saveIsDue(Instant now) {
        return unsaved && (saved.equals(Instant.MIN) || !now.isBefore(saved.plus(SAVE_APART)));
    }

    private static Duration longer(Duration apart) {
        Duration twice = apart.multipliedBy(2);
        return twice.compareTo(LOOK_LATE) < 0 ? twice : LOOK_LATE;
    }

    private Instant later(Instant looked) {
        return looked.equals(Instant.MIN) ? looked : looked.plus(lookAgain);
    }

    private boolean readLog(ByteBuffer buffer, Instant now) throws IOException {
        long start = log.offset();
        int count = log.read(buffer);
        while (count > 0) {
            logLines.feed(buffer.array(), count, sink());
            count = log.offset() - start < BUDGET ? log.read(buffer) : 0;
        }
        if (log.offset() == start) {
            return false;
        }
        hungry |= log.offset() - start >= BUDGET;
        if (times.isEmpty()) {
            times = Optional.of(new LogTimes.Writer(folders.logTimes(key)));
        }
        times.get().seen(log.offset(), now);
        return true;
    }

    private boolean readReports(ByteBuffer buffer) throws IOException {
        long start = reports.offset();
        int count = reports.read(buffer);
        while (count > 0) {
            fileLines.feed(buffer.array(), count, sink());
            count = reports.offset() - start < BUDGET ? reports.read(buffer) : 0;
        }
        return reports.offset() != start;
    }

    private boolean readEvents(Instant now, boolean look) throws IOException {
        if (!chief) {
            return false;
        }
        if (look) {
            boolean found = events.look(false);
            // Looking costs the more the more files there are, and most jobs never write such a file.
            lookAgain = found ? LOOK_SOON : longer(lookAgain);
            looked = Optional.of(now);
        }
        return events.read(BUDGET, (prefix, event) -> event(prefix, event, now)) > 0;
    }

    /** Events from long before are of another run: their file came with the code, say. */
    private void event(String prefix, TrainingEvent event, Instant now) {
        if (event.seconds() >= since.getEpochSecond() - SKEW.toSeconds()) {
            said.event(prefix, event, now, points::add);
        }
    }

    private ReportLines.Sink sink() {
        return new ReportLines.Sink() {
            @Override
            public void report(byte[] json) {
                waiting.addLast(json);
                if (waiting.size() > 50) {
                    pass(waiting.removeFirst());
                }
            }

            @Override
            public void tooLong() {
                refuse("a report longer than 64 KiB was passed over");
            }
        };
    }

    /** The newest reports win; what later ones need not say again is taken from those that are passed over, too. */
    private void apply(Instant now, int allowed) {
        while (waiting.size() > Math.max(1, allowed)) {
            pass(waiting.removeFirst());
        }
        if (allowed > 0) {
            allowance.take(waiting.size());
            waiting.forEach(json -> {
                Report report = Report.read(json);
                report.problems().forEach(problem -> refuse("in a report, " + problem));
                noteRanks(report);
                said.report(report, now, point -> {
                    if (chief) {
                        points.add(point);
                    }
                });
            });
            waiting.clear();
        }
    }

    private void pass(byte[] json) {
        String text = new String(json, StandardCharsets.ISO_8859_1);
        if (SAID_ONCE.stream().anyMatch(text::contains)) {
            Report report = Report.read(json);
            noteRanks(report);
            said.passedOver(report);
        }
        refuse("more than 50 reports a second: some were passed over");
    }

    /** Reads everything that is there and ends. */
    void finish(ByteBuffer buffer, Instant now) throws IOException {
        if (over) {
            return;
        }
        boolean any = false;
        while (readLog(buffer, now) | readReports(buffer)) {
            any = true;
        }
        logLines.end(sink());
        fileLines.end(sink());
        any |= !waiting.isEmpty();
        apply(now, Integer.MAX_VALUE);
        any |= readEvents(now, true);
        while (readEvents(now, false)) {
            any = true;
        }
        if (any) {
            said.output(now);
        }
        unsaved = true;
        remarks.tell(now);
        over = true;
        close();
    }

    /** Keeps its state, once there is a folder for its log. Points are to be handed on before. */
    void save(Instant now) throws IOException {
        Path file = folders.logState(key);
        if (!unsaved || !Files.isDirectory(file.getParent())) {
            return;
        }
        SavedState state = new SavedState();
        said.save(state);
        state.since = since;
        state.logOffset = log.offset() - logLines.pending();
        state.reportOffset = reports.offset() - fileLines.pending();
        state.events.putAll(events.offsets());
        state.write(file);
        saved = now;
        unsaved = false;
    }

    void close() throws IOException {
        log.close();
        reports.close();
        if (times.isPresent()) {
            times.get().close();
            times = Optional.empty();
        }
    }
}
