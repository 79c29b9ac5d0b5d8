package dev.muster.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Attempt;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobRecord.Counters;
import dev.muster.model.JobRecord.Status;
import dev.muster.model.JobRecord.Times;
import dev.muster.model.JobState;
import dev.muster.model.Member;
import dev.muster.model.ModelVersion;
import dev.muster.model.Origin;
import dev.muster.model.Placement;
import dev.muster.model.ProcessName;
import dev.muster.model.ProcessState;
import dev.muster.model.RestartScope;
import dev.muster.spi.JobStore;
import dev.muster.testkit.SampleJobs;
import dev.muster.testkit.SampleSpecCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Whatever a record holds, it is read back equal. */
class RoundTripTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static Path folder;
    private static JobStore store;

    @BeforeContainer
    static void open() throws IOException {
        folder = Files.createTempDirectory("muster-round-trip");
        store = SqliteJobStore.open(folder, new SampleSpecCodec(), (job, why) -> {
            throw new AssertionError(job + ": " + why);
        });
    }

    @AfterContainer
    static void close() throws IOException {
        store.close();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    @Property(tries = 300)
    void aRecordIsReadBackEqual(@ForAll("records") JobRecord any) {
        int number = NUMBER.incrementAndGet();
        JobId id = new JobId("r" + number);
        JobRecord first = SampleJobs.queued("r" + number, "n" + number);
        store.accept(first, Map.of(), Optional.empty());
        JobRecord next = new JobRecord(
                id,
                first.spec(),
                first.origin(),
                any.status(),
                any.counters(),
                any.times(),
                any.placement(),
                any.resumeFrom(),
                any.processes(),
                any.model(),
                2);
        assertThat(store.compareAndSet(next, List.of())).isTrue();
        assertThat(store.find(id)).contains(next);
    }

    @Property(tries = 100)
    void anOriginIsReadBackEqual(@ForAll("origins") Origin origin) {
        assertThat(Documents.origin(Documents.write(origin))).isEqualTo(origin);
    }

    @Provide
    Arbitrary<Origin> origins() {
        return Combinators.combine(
                        texts(),
                        texts(),
                        texts().optional(),
                        texts().optional(),
                        texts(),
                        Arbitraries.maps(texts(), texts()).ofMaxSize(3))
                .as(Origin::new);
    }

    @Provide
    Arbitrary<JobRecord> records() {
        JobRecord base = SampleJobs.queued("r0", "n0");
        Arbitrary<ModelVersion> models = Combinators.combine(
                        texts(),
                        Arbitraries.integers().between(1, 9),
                        times(),
                        Arbitraries.maps(texts(), texts()).ofMaxSize(3))
                .as((name, version, at, lineage) ->
                        new ModelVersion(name, version, "sha256:0", base.id(), at, lineage));
        return Combinators.combine(
                        statuses(),
                        counters(),
                        jobTimes(),
                        placements(),
                        columnTexts().optional(),
                        attempts(),
                        models.optional())
                .as((status, counters, times, placement, resume, processes, model) -> new JobRecord(
                        base.id(),
                        base.spec(),
                        base.origin(),
                        status,
                        counters,
                        times,
                        placement,
                        resume,
                        processes,
                        model,
                        2));
    }

    /** Any text, odd characters included. */
    private static Arbitrary<String> texts() {
        return Arbitraries.strings()
                .withChars("ab\"\\{}:,/\n\r\t\u0000\u001f\u00e4\u2028\ud83d\ude00")
                .ofMaxLength(12);
    }

    /** Text that stands in a column of its own: whole characters. */
    private static Arbitrary<String> columnTexts() {
        return Arbitraries.of("", "OutOfMemory: over 2GiB", "l1\nl2\t\"'\\", "\u00e4\u2028\ud83d\ude00", "null");
    }

    private static Arbitrary<Instant> times() {
        return Combinators.combine(
                        Arbitraries.longs().between(0, 7_000_000_000L),
                        Arbitraries.integers().between(0, 999_999_999))
                .as(Instant::ofEpochSecond);
    }

    private static Arbitrary<Status> statuses() {
        Arbitrary<JobState> states = Arbitraries.of(
                JobState.QUEUED, JobState.ADMITTED, JobState.SUSPENDED, JobState.CANCELLED, JobState.FAILED);
        return Combinators.combine(
                        states,
                        Arbitraries.of(JobState.class).optional(),
                        Arbitraries.of(Cause.class).optional(),
                        columnTexts().optional(),
                        Arbitraries.of(RestartScope.class).optional(),
                        times().optional())
                .as(Status::new);
    }

    private static Arbitrary<Counters> counters() {
        Arbitrary<Integer> counts = Arbitraries.integers().between(0, Integer.MAX_VALUE);
        return Combinators.combine(counts, counts, counts).as(Counters::new);
    }

    private static Arbitrary<Times> jobTimes() {
        Arbitrary<List<Optional<Instant>>> optional = times().optional().list().ofSize(7);
        Arbitrary<Duration> durations =
                Arbitraries.longs().between(0, Long.MAX_VALUE).map(Duration::ofNanos);
        return Combinators.combine(times(), times(), durations, optional)
                .as((submitted, queued, running, some) -> new Times(
                        submitted,
                        queued,
                        some.get(0),
                        some.get(1),
                        some.get(2),
                        running,
                        some.get(3),
                        some.get(4),
                        some.get(5),
                        some.get(6)));
    }

    private static Arbitrary<Placement> placements() {
        Arbitrary<Member> members = Combinators.combine(
                        Arbitraries.of("worker", "chief", "side-car-2"),
                        Arbitraries.integers().between(0, 99))
                .as(Member::new);
        Arbitrary<Map<String, Integer>> ports = Arbitraries.maps(
                        texts(), Arbitraries.integers().between(1, 65_535))
                .ofMaxSize(3);
        return Combinators.combine(
                        Arbitraries.maps(members, texts()).ofMaxSize(3),
                        Arbitraries.maps(members, ports).ofMaxSize(3),
                        Arbitraries.maps(members, texts()).ofMaxSize(3))
                .as(Placement::new);
    }

    private static Arbitrary<List<Attempt>> attempts() {
        Arbitrary<Attempt.Exit> exits = Combinators.combine(
                        Arbitraries.integers().optional(),
                        Arbitraries.of(Cause.class).optional(),
                        columnTexts().optional(),
                        times())
                .as((code, cause, reason, at) ->
                        new Attempt.Exit(code.map(OptionalInt::of).orElse(OptionalInt.empty()), cause, reason, at));
        Arbitrary<Attempt> one = Combinators.combine(
                        Arbitraries.integers().between(0, 3).optional(),
                        Arbitraries.integers().between(1, 99),
                        Arbitraries.of(ProcessState.class),
                        exits.optional(),
                        Arbitraries.longs().optional(),
                        columnTexts().optional(),
                        times().optional(),
                        Arbitraries.of(true, false))
                .as((local, attempt, state, exit, pid, address, at, joined) -> new Attempt(
                        new ProcessName("worker", 0, local.map(OptionalInt::of).orElse(OptionalInt.empty())),
                        attempt,
                        attempt + 1,
                        state,
                        exit,
                        pid.map(OptionalLong::of).orElse(OptionalLong.empty()),
                        address,
                        at,
                        joined,
                        at));
        // Each process once, in any order.
        return one.list().ofMaxSize(4).map(list -> {
            Map<ProcessName, Attempt> byName = new LinkedHashMap<>();
            list.forEach(attempt -> byName.put(attempt.name(), attempt));
            return List.copyOf(byName.values());
        });
    }
}
