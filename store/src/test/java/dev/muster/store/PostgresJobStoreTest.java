package dev.muster.store;

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
import dev.muster.model.ProcessName;
import dev.muster.model.Progress;
import dev.muster.spi.JobStore;
import dev.muster.spi.JobStore.StoreException;
import dev.muster.testkit.Await;
import dev.muster.testkit.JobStoreTck;
import dev.muster.testkit.SampleJobs;
import dev.muster.testkit.SampleSpecCodec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The job store on a real PostgreSQL. */
final class PostgresJobStoreTest extends JobStoreTck {
    @TempDir
    Path folder;

    private final Postgres database = new Postgres();
    private final List<String> unreadable = new ArrayList<>();

    @Override
    protected JobStore open() {
        return PostgresJobStore.open(
                database.settings(key()), new SampleSpecCodec(), (job, why) -> unreadable.add(job));
    }

    private Path key() {
        return folder.resolve("keys").resolve("secret.key");
    }

    @Override
    protected void garble(JobId id) {
        database.sql("update job set placement = '{\"hosts\":' where id = '" + id + "'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update job set state = 'Nonsense' where id = 'j1'",
                "update job set cause = 'x' where id = 'j1'",
                "update job set model = '{}' where id = 'j1'",
                "update job_text set spec = 'x' where job_id = 'j1'",
                "update job_text set origin = '[]' where job_id = 'j1'",
                "delete from job_text where job_id = 'j1'",
                "insert into attempt (job_id, name, attempt, place, group_attempt, state, joined)"
                        + " values ('j1', 'nobody', 1, 0, 1, 'WAITING', 0)"
            })
    void a16_aBrokenRowIsReportedOnce(String damage) throws Exception {
        store.accept(queued("j1", "one"), Map.of(), Optional.empty());
        store.accept(queued("j2", "two"), Map.of(), Optional.empty());
        database.sql(damage);
        reopen();
        for (int i = 0; i < 2; i++) {
            assertThat(store.live()).extracting(job -> job.id().value()).containsExactly("j2");
        }
        assertThat(unreadable).containsExactly("j1");
    }

    @Test
    void anOlderDatabaseIsBroughtUpToDate() throws Exception {
        JobRecord job = queued("j1", "train");
        store.accept(job, Map.of(), Optional.empty());
        store.close();
        database.sql("drop table note");
        database.sql("update muster_form set version = 1");
        reopen();
        assertThat(store.find(ONE)).contains(job);
        store.note("a", "b");
        assertThat(store.note("a")).contains("b");
        assertThat(database.value("select version from muster_form")).isEqualTo("" + PostgresMigration.NEWEST);
    }

    /** Its last part, an event without a state, cannot be stored. */
    @Test
    void aStepThatFailsHalfWayChangesNothing() {
        JobRecord job = queued("j1", "train");
        store.accept(job, Map.of("TOKEN", "v"), Optional.empty());
        Attempt attempt = Attempt.waiting(new ProcessName("worker", 0), 1, 1);
        JobRecord next = SampleJobs.next(job, Status.of(JobState.CANCELLED), List.of(attempt));
        Event broken =
                new Event(ONE, 0, NOON, Optional.empty(), Optional.empty(), null, Optional.empty(), Optional.empty());
        assertThatThrownBy(() -> store.compareAndSet(next, List.of(event(job, JobState.CANCELLED, NOON), broken)))
                .isInstanceOf(StoreException.class);
        assertThat(store.find(ONE)).contains(job);
        assertThat(store.attempts(ONE, Optional.empty())).isEmpty();
        assertThat(store.events(ONE, 0, 9)).hasSize(1);
        assertThat(store.secrets(ONE)).hasSize(1);
    }

    /** What PostgreSQL or its driver cannot hold must not keep a job from being stored. */
    @Test
    void anyTextIsStored() {
        JobRecord job = queued("j1", "train");
        store.accept(job, Map.of(), Optional.empty());
        Status failed = new Status(
                JobState.FAILED,
                Optional.empty(),
                Optional.of(Cause.USER_ERROR),
                Optional.of("UserError: a\0b \ud83d c \ud83d\ude00"),
                Optional.empty(),
                Optional.empty());
        assertThat(store.compareAndSet(next(job, failed), List.of())).isTrue();
        assertThat(store.find(ONE).orElseThrow().status().reason())
                .contains("UserError: a\ufffdb \ufffd c \ud83d\ude00");
    }

    @Test
    void aNewerDatabaseIsRefused() {
        store.close();
        database.sql("update muster_form set version = 99");
        assertThatThrownBy(this::open)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("newer Muster")
                .hasMessageContaining("99");
        database.sql("update muster_form set version = " + PostgresMigration.NEWEST);
        store = open();
        assertThat(store.live()).isEmpty();
    }

    @Test
    void aDatabaseOfAnotherProgramIsRefused() {
        Postgres foreign = new Postgres();
        foreign.sql("create table job (title text)");
        assertThatThrownBy(() -> foreign.open(key()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("another program");
        assertThat(foreign.value(
                        "select count(*) from pg_tables where schemaname = current_schema() and tablename = 'event'"))
                .isEqualTo("0");
    }

    @Test
    void manyReplicasThatStartAtOnceMakeTheTablesOnce() throws Exception {
        Postgres empty = new Postgres();
        List<Thread> replicas = new ArrayList<>();
        Set<String> failed = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 6; i++) {
            replicas.add(Thread.ofVirtual().start(() -> {
                try {
                    empty.open(key()).close();
                } catch (RuntimeException refused) {
                    failed.add(refused.toString());
                }
            }));
        }
        for (Thread replica : replicas) {
            replica.join();
        }
        assertThat(failed).isEmpty();
        assertThat(empty.value("select count(*) from muster_form")).isEqualTo("1");
    }

    @Test
    void aScriptThatFailsLeavesNothingBehind() {
        Postgres broken = new Postgres();
        broken.sql("create table progress (title text)");
        assertThatThrownBy(() -> broken.open(key())).isInstanceOf(StoreException.class);
        broken.sql("drop table progress");
        broken.open(key()).close();
    }

    @Test
    void b58_aSecretIsNowhereInTheDatabaseAndItsKeyIsTheOwners() throws Exception {
        store.accept(queued("j1", "train"), Map.of("TOKEN", "s3cr3tXYZ"), Optional.empty());
        assertThat(database.value("select encode(sealed, 'escape') from secret"))
                .doesNotContain("s3cr3tXYZ");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key())))
                .isEqualTo("rw-------");
        assertThat(Files.size(key())).isEqualTo(32);
    }

    @Test
    void b58_aReplicaWithAnotherKeyIsRefused() throws Exception {
        store.accept(queued("j1", "train"), Map.of("TOKEN", "s3cr3tXYZ"), Optional.empty());
        Path other = folder.resolve("other").resolve("secret.key");
        assertThatThrownBy(() -> database.open(other))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("no key in")
                .hasMessageContaining("copy the key file");
        Files.write(other, new byte[32]);
        assertThatThrownBy(() -> database.open(other))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("copy the key file");
        Files.copy(key(), other, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        try (JobStore replica = database.open(other)) {
            assertThat(replica.secrets(ONE)).containsEntry("TOKEN", "s3cr3tXYZ");
        }
    }

    @Test
    void whatOneReplicaWritesTheOthersHearOf() {
        Set<String> heard = ConcurrentHashMap.newKeySet();
        Set<String> own = ConcurrentHashMap.newKeySet();
        store.listen(job -> own.add(job.value()));
        try (JobStore other = database.open(key())) {
            other.listen(job -> heard.add(job.value()));
            JobRecord job = queued("j1", "train");
            store.accept(job, Map.of(), Optional.empty());
            Await.until("j1 is heard of", Duration.ofSeconds(10), () -> heard.remove("j1"));
            store.compareAndSet(next(job, JobState.CANCELLED), List.of());
            Await.until("its end is heard of", Duration.ofSeconds(10), () -> heard.remove("j1"));
            other.accept(queued("j2", "other"), Map.of(), Optional.empty());
            Await.until("the other way too", Duration.ofSeconds(10), () -> own.contains("j2"));
        }
        assertThat(own).doesNotContain("j1");
    }

    /** A change whose writer died before it told of it, as if written by hand. */
    @Test
    void whatNobodyTellsOfIsFoundAllTheSame() {
        JobRecord one = queued("j1", "one");
        store.accept(one, Map.of(), Optional.empty());
        store.accept(queued("j2", "two"), Map.of(), Optional.empty());
        Set<String> heard = ConcurrentHashMap.newKeySet();
        store.listen(job -> heard.add(job.value()));
        database.sql("update job set version = 2 where id = 'j1'");
        database.sql("update job set version = 2, state = 'CANCELLED' where id = 'j2'");
        Await.until("both are found", Duration.ofSeconds(20), () -> heard.containsAll(Set.of("j1", "j2")));
    }

    @Test
    void aClosedStoreSaysSo() {
        store.close();
        assertThatThrownBy(() -> store.live()).hasMessageContaining("closed");
        assertThatThrownBy(() -> store.progress(ONE, Progress.NONE, 0)).hasMessageContaining("closed");
    }

    @Test
    void settingsTellNoSecret() {
        PostgresSettings settings =
                new PostgresSettings("postgresql://h:5432/db?password=x1", "ann", Optional.of("x2"), key());
        assertThat(settings.toString()).isEqualTo("PostgresSettings[postgresql://h:5432/db]");
        assertThatThrownBy(() -> new PostgresSettings("mysql://h/db", "ann", Optional.empty(), key()))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
