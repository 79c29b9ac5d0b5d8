package dev.muster.testkit;

import static dev.muster.testkit.SampleJobs.NOON;
import static dev.muster.testkit.SampleJobs.event;
import static dev.muster.testkit.SampleJobs.next;
import static dev.muster.testkit.SampleJobs.queued;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.Attempt;
import dev.muster.model.Cause;
import dev.muster.model.Event;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobRecord.Status;
import dev.muster.model.JobState;
import dev.muster.model.JobTransition;
import dev.muster.model.ModelVersion;
import dev.muster.model.Origin;
import dev.muster.model.ProcessName;
import dev.muster.model.ProcessState;
import dev.muster.model.Progress;
import dev.muster.spi.JobStore;
import dev.muster.spi.JobStore.Accepted;
import dev.muster.spi.JobStore.Cursor;
import dev.muster.spi.JobStore.Listing;
import dev.muster.spi.JobStore.Point;
import dev.muster.spi.JobStore.Query;
import dev.muster.spi.JobStore.Seen;
import dev.muster.spi.JobStore.StoreException;
import dev.muster.spi.Projects;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every {@link JobStore} must show. An implementation gives a store, opens it again, and spoils a row. */
public abstract class JobStoreTck extends LeaseTck implements ProjectsTck {
    private static final Optional<String> NO_KEY = Optional.empty();

    @Override
    public final JobStore store() {
        return store;
    }

    /** Makes the stored record of the job unreadable. */
    protected abstract void garble(JobId id) throws Exception;

    @Test
    void aNoteReplacesTheOneBefore() throws Exception {
        assertThat(store.note("a")).isEmpty();
        store.note("a", "one");
        store.note("b", "äöü\n'; drop table note");
        store.note("a", "");
        reopen();
        assertThat(store.note("a")).contains("");
        assertThat(store.note("b")).contains("äöü\n'; drop table note");
        assertThat(store.note("c")).isEmpty();
    }

    private JobRecord accepted(String id, String name) {
        JobRecord job = queued(id, name);
        assertThat(store.accept(job, Map.of(), NO_KEY)).isEqualTo(new Accepted.New(job.id()));
        return job;
    }

    /** Moves the job along the table and returns the record as stored. */
    private JobRecord move(JobRecord job, JobState... states) {
        JobRecord now = job;
        for (JobState state : states) {
            JobRecord next = next(now, state);
            assertThat(store.compareAndSet(next, List.of(event(now, state, NOON))))
                    .isTrue();
            now = next;
        }
        return now;
    }

    @Test
    void a03_whatIsAcceptedIsFoundAtOnceAndAfterRestart() throws Exception {
        JobRecord job = accepted("j1", "train");
        assertThat(store.find(ONE)).contains(job);
        reopen();
        assertThat(store.find(ONE)).contains(job);
        assertThat(store.live()).containsExactly(job);
        assertThat(store.events(ONE, 0, 10)).singleElement().satisfies(first -> {
            assertThat(first.from()).isEmpty();
            assertThat(first.to()).isEqualTo("Queued");
            assertThat(first.at()).isEqualTo(NOON);
            assertThat(first.seq()).isPositive();
        });
    }

    @Test
    void whatIsNotThereIsEmpty() {
        assertThat(store.find(ONE)).isEmpty();
        assertThat(store.version(ONE)).isEmpty();
        assertThat(store.named("train", Projects.ALL)).isEmpty();
        assertThat(store.withPrefix("j", Projects.ALL, 5)).isEmpty();
        assertThat(store.list(Query.newest(5)).jobs()).isEmpty();
        assertThat(store.live()).isEmpty();
        assertThat(store.progress(ONE)).isEmpty();
        assertThat(store.attempts(ONE, Optional.empty())).isEmpty();
        assertThat(store.events(ONE, 0, 5)).isEmpty();
        assertThat(store.secrets(ONE)).isEmpty();
        assertThat(store.metrics(ONE, Optional.empty())).isEmpty();
        assertThat(store.delete(ONE)).isFalse();
        assertThat(store.latestTime()).isEmpty();
        assertThat(store.compareAndSet(next(queued("j1", "train"), JobState.ADMITTED), List.of()))
                .isFalse();
    }

    @ParameterizedTest
    @EnumSource(JobState.class)
    void onlyFirstStatesAreAccepted(JobState state) {
        JobRecord zero = queued("j1", "train");
        JobRecord job = new JobRecord(
                zero.id(),
                zero.spec(),
                zero.origin(),
                Status.of(state),
                zero.counters(),
                zero.times(),
                zero.placement(),
                zero.resumeFrom(),
                zero.processes(),
                zero.model(),
                1);
        if (JobTransition.between(Optional.empty(), state).isPresent()) {
            assertThat(store.accept(job, Map.of(), NO_KEY)).isEqualTo(new Accepted.New(ONE));
        } else {
            assertThatThrownBy(() -> store.accept(job, Map.of(), NO_KEY)).isInstanceOf(IllegalStateException.class);
            assertThat(store.find(ONE)).isEmpty();
        }
    }

    @Test
    void a13_anIdIsNotGivenTwice() {
        JobRecord job = accepted("j1", "train");
        assertThatThrownBy(() -> store.accept(queued("j1", "other"), Map.of(), NO_KEY))
                .isInstanceOf(IllegalStateException.class);
        assertThat(store.find(ONE)).contains(job);
        assertThat(store.events(ONE, 0, 10)).hasSize(1);
    }

    @Test
    void a04_sameKeyOfSameOwnerGivesTheSameJob() throws Exception {
        Optional<String> key = Optional.of("try-1");
        assertThat(store.accept(queued("j1", "train"), Map.of(), key)).isEqualTo(new Accepted.New(ONE));
        assertThat(store.accept(queued("j2", "train"), Map.of(), key)).isEqualTo(new Accepted.Same(ONE));
        reopen();
        assertThat(store.accept(queued("j3", "other"), Map.of(), key)).isEqualTo(new Accepted.Same(ONE));
        assertThat(store.list(Query.newest(9)).jobs()).hasSize(1);
        assertThat(store.accept(queued("j4", "other"), Map.of(), Optional.of("try-2")))
                .isEqualTo(new Accepted.New(new JobId("j4")));
    }

    @Test
    void a04_aKeyBelongsToItsOwner() {
        JobRecord anns = queued("j1", "train");
        JobRecord job = queued("j2", "other");
        JobRecord bobs = new JobRecord(
                job.id(),
                job.spec(),
                new Origin("bob", "/home/bob", NO_KEY, NO_KEY, "/bin", Map.of()),
                job.status(),
                job.counters(),
                job.times(),
                job.placement(),
                job.resumeFrom(),
                job.processes(),
                job.model(),
                1);
        store.accept(anns, Map.of(), Optional.of("try"));
        assertThat(store.accept(bobs, Map.of(), Optional.of("try"))).isEqualTo(new Accepted.New(bobs.id()));
    }

    @Test
    void b52_oneLiveJobANameAndTheNewestOtherwise() {
        JobRecord first = accepted("j9", "x");
        assertThat(store.accept(queued("j2", "x"), Map.of("T", "v"), Optional.of("k")))
                .isEqualTo(new Accepted.NameTaken(first.id()));
        assertThat(store.find(new JobId("j2"))).isEmpty();
        move(first, JobState.CANCELLED);
        assertThat(store.named("x", Projects.ALL)).contains(first.id());
        JobRecord second = accepted("j3", "x");
        assertThat(store.named("x", Projects.ALL)).contains(second.id());
        move(second, JobState.FAILED);
        assertThat(store.named("x", Projects.ALL)).contains(second.id());
        JobRecord third = accepted("j1", "x");
        assertThat(store.named("x", Projects.ALL)).contains(third.id());
    }

    @Test
    void b52_manyAtOnceUnderOneNameGiveOneJob() throws Exception {
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Accepted>> answers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                JobRecord job = queued("j" + i, "x");
                answers.add(clients.submit(() -> store.accept(job, Map.of(), NO_KEY)));
            }
            List<Accepted> given = new ArrayList<>();
            for (Future<Accepted> answer : answers) {
                given.add(answer.get());
            }
            assertThat(given.stream().filter(Accepted.New.class::isInstance)).hasSize(1);
            assertThat(store.list(Query.newest(30)).jobs()).hasSize(1);
        }
    }

    @Test
    void onlyTheNextVersionIsTaken() {
        JobRecord job = accepted("j1", "train");
        JobRecord admitted = next(job, JobState.ADMITTED);
        JobRecord other = next(job, JobState.CANCELLED);
        assertThat(store.compareAndSet(next(next(job, JobState.QUEUED), JobState.ADMITTED), List.of()))
                .as("a version that skips one")
                .isFalse();
        assertThat(store.compareAndSet(admitted, List.of(event(job, JobState.ADMITTED, NOON))))
                .isTrue();
        assertThat(store.compareAndSet(other, List.of(event(job, JobState.CANCELLED, NOON))))
                .isFalse();
        assertThat(store.compareAndSet(admitted, List.of(event(job, JobState.ADMITTED, NOON))))
                .isFalse();
        assertThat(store.find(ONE)).contains(admitted);
        assertThat(store.version(ONE)).hasValue(2);
        assertThat(store.events(ONE, 0, 10)).extracting(Event::to).containsExactly("Queued", "Admitted");
    }

    @Test
    void manyAtOnceForOneVersionGiveOneChange() throws Exception {
        JobRecord job = accepted("j1", "train");
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> answers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                JobState state = i % 2 == 0 ? JobState.ADMITTED : JobState.CANCELLED;
                answers.add(
                        clients.submit(() -> store.compareAndSet(next(job, state), List.of(event(job, state, NOON)))));
            }
            int done = 0;
            for (Future<Boolean> answer : answers) {
                done += answer.get() ? 1 : 0;
            }
            assertThat(done).isEqualTo(1);
            assertThat(store.events(ONE, 0, 10)).hasSize(2);
        }
    }

    /** Every pair of states: a row of the table is taken, any other pair is refused and changes nothing. */
    @ParameterizedTest
    @EnumSource(JobState.class)
    void a06_everyStepIsARowOfTheTable(JobState from) {
        for (JobState to : JobState.values()) {
            JobRecord job = at(from, "j" + from.ordinal() + "x" + to.ordinal());
            JobRecord next = next(job, to);
            List<Event> events = List.of(event(job, to, NOON));
            int before = store.events(job.id(), 0, 100).size();
            boolean legal =
                    from == to || JobTransition.between(Optional.of(from), to).isPresent();
            if (legal) {
                assertThat(store.compareAndSet(next, events)).isTrue();
                assertThat(store.find(job.id())).contains(next);
            } else {
                assertThatThrownBy(() -> store.compareAndSet(next, events))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining(from.text())
                        .hasMessageContaining(to.text());
                assertThat(store.find(job.id())).contains(job);
                assertThat(store.events(job.id(), 0, 100)).hasSize(before);
            }
        }
    }

    /** A new job, taken along a shortest way to the state. */
    private JobRecord at(JobState state, String id) {
        JobRecord job = accepted(id, "at-" + id);
        return move(
                job,
                switch (state) {
                    case QUEUED -> new JobState[] {};
                    case ADMITTED -> new JobState[] {JobState.ADMITTED};
                    case STARTING -> new JobState[] {JobState.ADMITTED, JobState.STARTING};
                    case RUNNING -> new JobState[] {JobState.ADMITTED, JobState.STARTING, JobState.RUNNING};
                    case RESTARTING -> new JobState[] {JobState.ADMITTED, JobState.RESTARTING};
                    case STOPPING -> new JobState[] {JobState.ADMITTED, JobState.STOPPING};
                    case SUSPENDED -> new JobState[] {JobState.SUSPENDED};
                    case PUBLISHING -> new JobState[] {JobState.ADMITTED, JobState.STARTING, JobState.PUBLISHING};
                    case SUCCEEDED -> new JobState[] {JobState.ADMITTED, JobState.STARTING, JobState.SUCCEEDED};
                    case FAILED -> new JobState[] {JobState.FAILED};
                    case CANCELLED -> new JobState[] {JobState.CANCELLED};
                });
    }

    @Test
    void aFinalRecordStaysAsItIs() {
        JobRecord job = accepted("j1", "train");
        store.progress(ONE, progress(7), 1);
        JobRecord failed = move(job, JobState.FAILED);
        Status other = new Status(
                JobState.FAILED,
                Optional.empty(),
                Optional.of(Cause.KILLED),
                Optional.of("Killed: after the fact"),
                Optional.empty(),
                Optional.empty());
        assertThatThrownBy(() -> store.compareAndSet(next(failed, other), List.of()))
                .isInstanceOf(IllegalStateException.class);
        ModelVersion late = new ModelVersion("cnn", 1, "sha256:00", ONE, NOON, Map.of());
        JobRecord published = new JobRecord(
                ONE,
                failed.spec(),
                failed.origin(),
                failed.status(),
                failed.counters(),
                failed.times(),
                failed.placement(),
                failed.resumeFrom(),
                failed.processes(),
                Optional.of(late),
                failed.version() + 1);
        assertThatThrownBy(() -> store.compareAndSet(published, List.of())).isInstanceOf(IllegalStateException.class);
        store.progress(ONE, progress(8), 2);
        assertThat(store.find(ONE)).contains(failed);
        assertThat(store.progress(ONE)).contains(new Seen(progress(7), 1));
    }

    @Test
    void aStepCarriesOnlyEventsOfItsJob() {
        JobRecord job = accepted("j1", "train");
        JobRecord other = accepted("j2", "other");
        assertThatThrownBy(() -> store.compareAndSet(
                        next(job, JobState.ADMITTED), List.of(event(other, JobState.ADMITTED, NOON))))
                .isInstanceOf(IllegalStateException.class);
        assertThat(store.find(ONE)).contains(job);
    }

    @Test
    void a05_everyAttemptIsKept() throws Exception {
        JobRecord job = accepted("j1", "train");
        ProcessName worker0 = new ProcessName("worker", 0);
        ProcessName worker1 = new ProcessName("worker", 1);
        ProcessName worker10 = new ProcessName("worker", 10);
        JobRecord first = next(
                job,
                Status.of(JobState.ADMITTED),
                List.of(
                        Attempt.waiting(worker1, 1, 1),
                        Attempt.waiting(worker10, 1, 1),
                        Attempt.waiting(worker0, 1, 1)));
        assertThat(store.compareAndSet(first, List.of())).isTrue();
        assertThat(store.find(ONE)).contains(first);
        Attempt killed = ended(worker1, 1, 137);
        JobRecord second = next(
                first,
                Status.of(JobState.RESTARTING),
                List.of(killed, Attempt.waiting(worker10, 1, 1), Attempt.waiting(worker0, 1, 1)));
        assertThat(store.compareAndSet(second, List.of())).isTrue();
        JobRecord third = next(
                second,
                Status.of(JobState.ADMITTED),
                List.of(Attempt.waiting(worker0, 2, 2), Attempt.waiting(worker1, 2, 2)));
        assertThat(store.compareAndSet(third, List.of())).isTrue();
        reopen();
        assertThat(store.find(ONE)).contains(third);
        assertThat(store.live()).containsExactly(third);
        assertThat(store.attempts(ONE, Optional.empty()))
                .containsExactly(
                        Attempt.waiting(worker0, 1, 1),
                        Attempt.waiting(worker0, 2, 2),
                        killed,
                        Attempt.waiting(worker1, 2, 2),
                        Attempt.waiting(worker10, 1, 1));
        assertThat(store.attempts(ONE, Optional.of(worker1))).containsExactly(killed, Attempt.waiting(worker1, 2, 2));
        assertThat(store.attempts(ONE, Optional.of(new ProcessName("ps", 0)))).isEmpty();
    }

    private static Attempt ended(ProcessName name, int attempt, int code) {
        return new Attempt(
                name,
                attempt,
                1,
                ProcessState.EXITED,
                Optional.of(new Attempt.Exit(
                        OptionalInt.of(code),
                        Optional.of(Cause.KILLED),
                        Optional.of("Killed: by signal KILL"),
                        NOON.plusMillis(1))),
                OptionalLong.of(4_000_000_000L),
                Optional.of("127.0.0.1:20001"),
                Optional.of(NOON),
                true,
                Optional.of(NOON.minusNanos(1)));
    }

    @Test
    void a06_eventsAreReadInOrderAndInPieces() {
        JobRecord job = accepted("j1", "train");
        JobRecord other = accepted("j2", "other");
        move(job, JobState.ADMITTED, JobState.STARTING);
        move(other, JobState.ADMITTED);
        List<Event> all = store.events(ONE, 0, 100);
        assertThat(all).extracting(Event::to).containsExactly("Queued", "Admitted", "Starting");
        assertThat(all).extracting(Event::seq).isSorted().doesNotHaveDuplicates();
        assertThat(store.events(ONE, all.get(0).seq(), 1)).containsExactly(all.get(1));
        assertThat(store.events(ONE, all.get(2).seq(), 9)).isEmpty();
        Event full = new Event(
                ONE,
                0,
                NOON.plusNanos(5),
                Optional.of(new ProcessName("worker", 1, OptionalInt.of(2))),
                Optional.of("Running"),
                "Exited",
                Optional.of(Cause.OUT_OF_MEMORY),
                Optional.of("OutOfMemory: over 2GiB — \u00e4\ud83d\ude00\n\"'"));
        JobRecord now = store.find(ONE).orElseThrow();
        store.compareAndSet(next(now, now.status()), List.of(full));
        assertThat(store.events(ONE, all.get(2).seq(), 9))
                .singleElement()
                .usingRecursiveComparison()
                .ignoringFields("seq")
                .isEqualTo(full);
    }

    @Test
    void a07_listFiltersAndPages() {
        for (int i = 0; i < 5; i++) {
            accepted("j" + (9 - i), "n" + i % 5);
        }
        JobRecord failed = move(store.find(new JobId("j9")).orElseThrow(), JobState.FAILED);
        JobRecord again = accepted("j4", "n0");
        assertThat(ids(Query.newest(9))).containsExactly("j4", "j5", "j6", "j7", "j8", "j9");
        assertThat(ids(Query.newest(2))).containsExactly("j4", "j5");
        assertThat(ids(new Query(Set.of(), Optional.empty(), place("j5"), 2))).containsExactly("j6", "j7");
        assertThat(store.list(new Query(Set.of(), Optional.of("n0"), Optional.empty(), 9))
                        .jobs())
                .containsExactly(again, failed);
        Query failures = new Query(Set.of(JobState.FAILED), Optional.empty(), Optional.empty(), 9);
        assertThat(store.list(failures).jobs()).containsExactly(failed);
        assertThat(ids(new Query(Set.of(JobState.QUEUED, JobState.FAILED), Optional.of("n0"), place("j4"), 9)))
                .containsExactly("j9");
        assertThat(store.live()).extracting(job -> job.id().value()).containsExactly("j8", "j7", "j6", "j5", "j4");
        Query behind = new Query(Set.of(), Optional.empty(), place("j4"), 1);
        move(again, JobState.CANCELLED);
        store.delete(again.id());
        assertThat(ids(behind)).as("behind a job that was deleted").containsExactly("j5");
    }

    private Optional<Cursor> place(String id) {
        return store.cursor(new JobId(id), Projects.ALL);
    }

    private List<String> ids(Query query) {
        return store.list(query).jobs().stream().map(job -> job.id().value()).toList();
    }

    @Test
    void prefixesFindIds() {
        accepted("ab1", "a");
        accepted("ab2", "b");
        accepted("ac1", "c");
        assertThat(store.withPrefix("ab", Projects.ALL, 5)).containsExactly(new JobId("ab1"), new JobId("ab2"));
        assertThat(store.withPrefix("ab1", Projects.ALL, 5)).containsExactly(new JobId("ab1"));
        assertThat(store.withPrefix("a", Projects.ALL, 2)).hasSize(2);
        assertThat(store.withPrefix("a%", Projects.ALL, 5)).isEmpty();
        assertThat(store.withPrefix("_b", Projects.ALL, 5)).isEmpty();
    }

    @Test
    void b58_secretsLastAsLongAsTheirJob() throws Exception {
        Map<String, String> secrets = Map.of("TOKEN", "s3cr3tXYZ", "EMPTY", "", "ODD", "l1\nl2 \u00e4\ud83d\ude00");
        store.accept(queued("j1", "train"), secrets, NO_KEY);
        store.accept(queued("j2", "other"), Map.of("TOKEN", "second"), NO_KEY);
        reopen();
        assertThat(store.secrets(ONE)).isEqualTo(secrets);
        move(store.find(ONE).orElseThrow(), JobState.CANCELLED);
        assertThat(store.secrets(ONE)).isEmpty();
        assertThat(store.secrets(new JobId("j2"))).isEqualTo(Map.of("TOKEN", "second"));
    }

    @Test
    void progressIsTheNewest() throws Exception {
        accepted("j1", "train");
        store.progress(ONE, progress(1), 0);
        store.progress(ONE, progress(2), 3);
        reopen();
        assertThat(store.progress(ONE)).contains(new Seen(progress(2), 3));
        store.progress(ONE, Progress.NONE, 3);
        assertThat(store.progress(ONE)).contains(new Seen(Progress.NONE, 3));
        store.progress(new JobId("nosuch"), progress(1), 0);
        assertThat(store.progress(new JobId("nosuch"))).isEmpty();
    }

    private static Progress progress(long step) {
        return new Progress(
                OptionalLong.of(step),
                OptionalLong.of(938),
                OptionalDouble.of(1.5),
                Map.of("loss", 0.31, "nan", Double.NaN, "inf", Double.NEGATIVE_INFINITY, "big \"\u00e4", 1.2e32),
                OptionalDouble.of(12.25));
    }

    @Test
    void b69_metricsKeepTheirOrderAndEveryDouble() throws Exception {
        accepted("j1", "train");
        accepted("j2", "other");
        List<Point> points = List.of(
                new Point(NOON, 2, "loss", 0.1 + 0.2),
                new Point(NOON.minusSeconds(1), 1, "acc", Double.NaN),
                new Point(NOON, 3, "loss", Double.POSITIVE_INFINITY),
                new Point(NOON, 3, "loss", -7.5E-05),
                new Point(NOON, 3, "loss", Double.MIN_VALUE));
        store.metrics(ONE, points.subList(0, 3));
        store.metrics(new JobId("j2"), List.of(new Point(NOON, 1, "loss", 9)));
        store.metrics(new JobId("nosuch"), List.of(new Point(NOON, 1, "loss", 9)));
        store.metrics(ONE, points.subList(3, 5));
        store.metrics(ONE, List.of());
        reopen();
        assertThat(store.metrics(ONE, Optional.empty())).isEqualTo(points);
        assertThat(store.metrics(ONE, Optional.of("acc"))).containsExactly(points.get(1));
        assertThat(store.metrics(ONE, Optional.of("nosuch"))).isEmpty();
        assertThat(store.metrics(new JobId("nosuch"), Optional.empty())).isEmpty();
    }

    @Test
    void onlyAFinalJobIsDeletedAndThenWhole() {
        Optional<String> key = Optional.of("k");
        JobRecord job = queued("j1", "train");
        store.accept(job, Map.of("T", "v"), key);
        store.metrics(ONE, List.of(new Point(NOON, 1, "loss", 1)));
        store.progress(ONE, progress(1), 0);
        assertThat(store.delete(ONE)).isFalse();
        assertThat(store.find(ONE)).contains(job);
        JobRecord admitted =
                next(job, Status.of(JobState.ADMITTED), List.of(Attempt.waiting(new ProcessName("worker", 0), 1, 1)));
        store.compareAndSet(admitted, List.of());
        move(admitted, JobState.STARTING, JobState.SUCCEEDED);
        assertThat(store.delete(ONE)).isTrue();
        assertThat(store.delete(ONE)).isFalse();
        assertThat(store.find(ONE)).isEmpty();
        assertThat(store.named("train", Projects.ALL)).isEmpty();
        assertThat(store.events(ONE, 0, 9)).isEmpty();
        assertThat(store.attempts(ONE, Optional.empty())).isEmpty();
        assertThat(store.metrics(ONE, Optional.empty())).isEmpty();
        assertThat(store.progress(ONE)).isEmpty();
        assertThat(store.accept(queued("j2", "train"), Map.of(), key)).isEqualTo(new Accepted.New(new JobId("j2")));
    }

    @Test
    void theLatestTimeGoesOnOverDeletionAndRestart() throws Exception {
        Instant later = NOON.plusSeconds(60);
        JobRecord job = accepted("j1", "train");
        assertThat(store.latestTime()).contains(NOON);
        store.compareAndSet(next(job, JobState.CANCELLED), List.of(event(job, JobState.CANCELLED, later)));
        assertThat(store.latestTime()).contains(later);
        store.delete(ONE);
        accepted("j2", "train");
        reopen();
        assertThat(store.latestTime()).contains(later);
    }

    @Test
    void a16_anUnreadableRecordHarmsOnlyItsJob() throws Exception {
        accepted("j1", "one");
        JobRecord second = accepted("j2", "two");
        accepted("j3", "three");
        garble(ONE);
        garble(new JobId("j3"));
        reopen();
        assertThat(store.live()).containsExactly(second);
        Listing all = store.list(Query.newest(9));
        assertThat(all.jobs()).containsExactly(second);
        assertThat(all.unreadable()).extracting(each -> each.id().value()).containsExactly("j3", "j1");
        Listing first = store.list(Query.newest(1));
        assertThat(first.next()).as("a page of unreadable jobs is not the last").isEqualTo(place("j3"));
        assertThat(ids(new Query(Set.of(), Optional.empty(), first.next(), 1))).containsExactly("j2");
        assertThatThrownBy(() -> store.find(ONE))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("j1");
        JobRecord admitted = move(second, JobState.ADMITTED);
        assertThat(store.find(second.id())).contains(admitted);
        JobRecord fourth = accepted("j4", "four");
        assertThat(store.live()).containsExactly(admitted, fourth);
        assertThat(store.deleteUnreadable(fourth.id())).isFalse();
        assertThat(store.deleteUnreadable(ONE)).isTrue();
        assertThat(store.find(ONE)).isEmpty();
        assertThat(store.events(ONE, 0, 9)).isEmpty();
        accepted("j5", "one");
    }
}
