package dev.muster.store;

import static dev.muster.testkit.SampleJobs.queued;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.Attempt;
import dev.muster.model.Event;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobRecord.Status;
import dev.muster.model.JobState;
import dev.muster.model.ProcessName;
import dev.muster.model.Progress;
import dev.muster.model.Site;
import dev.muster.spi.JobStore;
import dev.muster.spi.JobStore.StoreException;
import dev.muster.spi.Lease;
import dev.muster.spi.Leases.Answer;
import dev.muster.spi.Projects;
import dev.muster.testkit.JobStoreTck;
import dev.muster.testkit.SampleJobs;
import dev.muster.testkit.SampleSpecCodec;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SqliteJobStoreTest extends JobStoreTck {
    @TempDir
    Path folder;

    private final List<String> unreadable = new ArrayList<>();

    @Override
    protected JobStore open() {
        return SqliteJobStore.open(place(), new SampleSpecCodec(), (job, why) -> unreadable.add(job));
    }

    private Path place() {
        return folder.resolve("store");
    }

    @Override
    protected void garble(JobId id) throws SQLException {
        sql("update job set placement = '{\"hosts\":' where id = '" + id + "'");
    }

    private void sql(String statement) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + place().resolve("muster.db"));
                Statement change = connection.createStatement()) {
            change.execute(statement);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update job set state = 'Nonsense' where id = 'j1'",
                "update job set placement = 'x' where id = 'j1'",
                "update job set cause = 'x' where id = 'j1'",
                "update job set model = '{}' where id = 'j1'",
                "update job_text set spec = 'x' where job_id = 'j1'",
                "update job_text set origin = '[]' where job_id = 'j1'",
                "update job_text set origin = '{\"owner\":1}' where job_id = 'j1'",
                "delete from job_text where job_id = 'j1'",
                "update job set version = 'x' where id = 'j1'",
                "update job set restarts = 1.5 where id = 'j1'",
                "update job set queued_at = x'00' where id = 'j1'",
                "insert into attempt (job_id, name, attempt, place, group_attempt, state, joined)"
                        + " values ('j1', 'nobody', 1, 0, 1, 'WAITING', 0)"
            })
    void a16_aBrokenRowIsReportedOnce(String damage) throws Exception {
        store.accept(queued("j1", "one"), Map.of(), Optional.empty());
        store.accept(queued("j2", "two"), Map.of(), Optional.empty());
        sql(damage);
        reopen();
        for (int i = 0; i < 2; i++) {
            assertThat(store.live()).extracting(job -> job.id().value()).containsExactly("j2");
        }
        assertThat(unreadable).containsExactly("j1");
    }

    /** A page of a table, not just a row: those that have nothing on it are still read, and what is wrong is told. */
    @Test
    void a16_aDamagedPageIsToldAndHarmsOnlyWhatIsOnIt() throws Exception {
        for (int number = 0; number < 200; number++) {
            store.accept(queued("j" + number, "name-" + number), Map.of(), Optional.empty());
        }
        store.close();
        damageAPageOf("job_text");
        store = open();
        List<JobRecord> live = store.live();
        assertThat(live).hasSizeBetween(100, 199);
        assertThat(unreadable).hasSize(200 - live.size());
        JobId lost = new JobId(unreadable.getFirst());
        assertThatThrownBy(() -> store.find(lost)).isInstanceOfSatisfying(StoreException.class, told -> {
            assertThat(told.kind()).isEqualTo(StoreException.Kind.DAMAGED);
            assertThat(told).hasMessageContainingAll("muster.db", "integrity_check", "put a copy");
        });
        JobRecord whole = live.getFirst();
        assertThat(store.compareAndSet(SampleJobs.next(whole, JobState.ADMITTED), List.of()))
                .isTrue();
    }

    /** Overwrites the first leaf of a table, as its root points to it. */
    private void damageAPageOf(String table) throws Exception {
        Path file = place().resolve("muster.db");
        long size;
        long root;
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement ask = connection.createStatement()) {
            size = ask.executeQuery("pragma page_size").getLong(1);
            root = ask.executeQuery("select rootpage from sqlite_schema where name = '" + table + "'")
                    .getLong(1);
        }
        try (RandomAccessFile pages = new RandomAccessFile(file.toFile(), "rw")) {
            long at = (root - 1) * size;
            pages.seek(at + 12);
            pages.seek(at + pages.readUnsignedShort());
            pages.seek((pages.readInt() - 1L) * size);
            pages.write(new byte[(int) size]);
        }
    }

    /** Its last part, an event without a state, cannot be stored. */
    @Test
    void aStepThatFailsHalfWayChangesNothing() {
        JobRecord job = queued("j1", "train");
        store.accept(job, Map.of("TOKEN", "v"), Optional.empty());
        Attempt attempt = Attempt.waiting(new ProcessName("worker", 0), 1, 1);
        JobRecord next = SampleJobs.next(job, Status.of(JobState.CANCELLED), List.of(attempt));
        Event broken = new Event(
                ONE, 0, SampleJobs.NOON, Optional.empty(), Optional.empty(), null, Optional.empty(), Optional.empty());
        assertThatThrownBy(() -> store.compareAndSet(
                        next, List.of(SampleJobs.event(job, JobState.CANCELLED, SampleJobs.NOON), broken)))
                .isInstanceOf(StoreException.class);
        assertThat(store.find(ONE)).contains(job);
        assertThat(store.attempts(ONE, Optional.empty())).isEmpty();
        assertThat(store.events(ONE, 0, 9)).hasSize(1);
        assertThat(store.secrets(ONE)).hasSize(1);
    }

    @Test
    void filesAreTheOwnersOnly() throws Exception {
        store.accept(queued("j1", "train"), Map.of("TOKEN", "s3cr3tXYZ"), Optional.empty());
        assertThat(mode(place())).isEqualTo("rwx------");
        try (Stream<Path> files = Files.list(place())) {
            assertThat(files.filter(Files::isRegularFile))
                    .extracting(path -> path.getFileName().toString())
                    .contains("muster.db", "muster.db-wal", "secret.key");
        }
        try (Stream<Path> files = Files.list(place())) {
            assertThat(files.filter(Files::isRegularFile))
                    .allSatisfy(file -> assertThat(mode(file)).isEqualTo("rw-------"));
        }
    }

    private static String mode(Path path) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        } catch (IOException gone) {
            return gone.toString();
        }
    }

    @Test
    void rightsOfOthersAreTakenAway() throws Exception {
        store.close();
        Files.setPosixFilePermissions(place(), PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(place().resolve("muster.db"), PosixFilePermissions.fromString("rw-r--r--"));
        store = open();
        assertThat(mode(place())).isEqualTo("rwx------");
        assertThat(mode(place().resolve("muster.db"))).isEqualTo("rw-------");
    }

    @Test
    void b58_aSecretIsNowhereInTheFiles() throws Exception {
        store.accept(queued("j1", "train"), Map.of("TOKEN", "s3cr3tXYZ"), Optional.empty());
        store.secrets(ONE);
        try (Stream<Path> files = Files.list(place())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                assertThat(bytes).as(file.toString()).doesNotContain("s3cr3tXYZ");
            }
        }
    }

    @Test
    void aSecretIsBoundToItsJobAndVariable() throws Exception {
        store.accept(queued("j1", "one"), Map.of("TOKEN", "first"), Optional.empty());
        store.accept(queued("j2", "two"), Map.of("TOKEN", "second"), Optional.empty());
        sql("update secret set sealed = (select sealed from secret where job_id = 'j2') where job_id = 'j1'");
        assertThatThrownBy(() -> store.secrets(ONE))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("TOKEN")
                .hasMessageContaining("secret.key");
        assertThat(store.secrets(new JobId("j2"))).containsEntry("TOKEN", "second");
    }

    @Test
    void aLostKeyIsSaidPlainly() throws Exception {
        store.accept(queued("j1", "one"), Map.of("TOKEN", "first"), Optional.empty());
        Files.delete(place().resolve("secret.key"));
        reopen();
        assertThatThrownBy(() -> store.secrets(ONE)).hasMessageContaining("put the key back");
        assertThat(store.live()).hasSize(1);
    }

    @Test
    void aNewerDatabaseIsRefused() throws Exception {
        store.close();
        sql("pragma user_version = 99");
        assertThatThrownBy(this::open)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("newer Muster")
                .hasMessageContaining("99");
        sql("pragma user_version = " + Migration.NEWEST);
        store = open();
        assertThat(store.live()).isEmpty();
    }

    @Test
    void aDatabaseOfBeforeProjectsGoesOn() throws Exception {
        JobRecord job = queued("j1", "one");
        store.accept(job, Map.of(), Optional.empty());
        store.close();
        sql("drop table note");
        sql("drop table lease_end");
        sql("drop table lease");
        sql("drop index job_live_name");
        sql("drop index job_project");
        sql("alter table job drop column project");
        sql("create unique index job_live_name on job (name) where state not in ('SUCCEEDED', 'FAILED', 'CANCELLED')");
        sql("pragma user_version = 1");
        store = open();
        assertThat(store.named("one", Projects.of("default"))).contains(job.id());
        assertThat(store.find(job.id())).contains(job);
        assertThat(store.accept(queued("j2", "one"), Map.of(), Optional.empty()))
                .isEqualTo(new JobStore.Accepted.NameTaken(job.id()));
    }

    @Test
    void anOlderDatabaseIsBroughtUpToDate() throws Exception {
        JobRecord job = queued("j1", "train");
        store.accept(job, Map.of(), Optional.empty());
        store.close();
        sql("drop table note");
        sql("drop table lease_end");
        sql("drop table lease");
        sql("pragma user_version = 2");
        store = open();
        assertThat(store.find(ONE)).contains(job);
        assertThat(store.leases().take(Site.of(job), "a", Duration.ofHours(1))).isInstanceOf(Answer.Taken.class);
        store.note("a", "b");
        assertThat(store.note("a")).contains("b");
    }

    /** One process at a time has the file open, so who held it is dead. */
    @Test
    void aRestartNeedNotWaitForTheLeaseOfTheDead() throws Exception {
        Site site = Site.of(queued("j1", "train"));
        store.leases().take(site, "a", Duration.ofHours(1));
        assertThat(store.leases().take(site, "b", Duration.ofHours(1))).isInstanceOf(Answer.Held.class);
        reopen();
        assertThat(store.leases().take(site, "b", Duration.ofHours(1)))
                .isEqualTo(new Answer.Taken(new Lease(site, "b", 2)));
    }

    @Test
    void aForeignOrDamagedFileIsRefused() throws Exception {
        store.close();
        sql("pragma application_id = 7");
        assertThatThrownBy(this::open).hasMessageContaining("another program");
        Files.writeString(place().resolve("muster.db"), "this is no database, whatever its name says ".repeat(99));
        assertThatThrownBy(this::open).isInstanceOf(StoreException.class).hasMessageContaining("damaged");
        Files.delete(place().resolve("muster.db"));
        store = open();
    }

    @Test
    void aClosedStoreSaysSo() {
        store.close();
        assertThatThrownBy(() -> store.live()).hasMessageContaining("closed");
        assertThatThrownBy(() -> store.progress(ONE, Progress.NONE, 0)).hasMessageContaining("closed");
    }
}
