package dev.muster.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.spi.JobStore.StoreException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteErrorCode;

final class GroupCommitTest {
    @TempDir
    Path folder;

    private SqliteDatabase database;

    @BeforeEach
    void open() {
        database = new SqliteDatabase(folder.resolve("muster.db"));
        database.write(session -> session.update("create table t (n integer not null unique)"));
    }

    @AfterEach
    void close() {
        database.close();
    }

    private List<Long> rows() {
        return database.read(session -> session.query("select n from t order by n", row -> row.number("n")));
    }

    private void insert(Session session, int n) throws SQLException {
        session.update("insert into t (n) values (?)", n);
    }

    /** While the writer is held, others queue up; then they share one transaction, and those that fail undo only themselves. */
    @Test
    void oneBadRequestHarmsOnlyItself() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            clients.submit(() -> database.write(session -> {
                held.countDown();
                await(go);
                return null;
            }));
            held.await();
            List<Future<Integer>> answers = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                int n = i;
                answers.add(clients.submit(() -> database.write(session -> {
                    insert(session, n);
                    switch (n % 5) {
                        case 1 -> throw new IllegalStateException("refused " + n);
                        case 2 -> insert(session, n);
                        case 3 -> throw new StackOverflowError("fault " + n);
                        default -> {}
                    }
                    return n;
                })));
            }
            go.countDown();
            for (int i = 0; i < 30; i++) {
                Future<Integer> answer = answers.get(i);
                if (i % 5 == 0 || i % 5 == 4) {
                    assertThat(answer.get()).isEqualTo(i);
                } else if (i % 5 == 1) {
                    assertThatThrownBy(answer::get).cause().isExactlyInstanceOf(IllegalStateException.class);
                } else {
                    assertThatThrownBy(answer::get).cause().isExactlyInstanceOf(StoreException.class);
                }
            }
        }
        assertThat(rows()).containsExactly(0L, 4L, 5L, 9L, 10L, 14L, 15L, 19L, 20L, 24L, 25L, 29L);
    }

    @Test
    void whatWaitsSharesATransaction() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger inserted = new AtomicInteger();
        AtomicInteger unseen = new AtomicInteger();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            clients.submit(() -> database.write(session -> {
                held.countDown();
                await(go);
                return null;
            }));
            held.await();
            CountDownLatch queued = new CountDownLatch(20);
            List<Future<?>> answers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                int n = i;
                answers.add(clients.submit(() -> {
                    queued.countDown();
                    return database.write(session -> {
                        insert(session, n);
                        unseen.accumulateAndGet(inserted.incrementAndGet() - rows().size(), Math::max);
                        return null;
                    });
                }));
            }
            queued.await();
            go.countDown();
            for (Future<?> answer : answers) {
                answer.get();
            }
        }
        // Inside a shared transaction a reader beside it does not see the rows of those before; alone, one row is
        // unseen.
        assertThat(unseen.get()).isGreaterThan(1);
        assertThat(rows()).hasSize(20);
    }

    /** Room may lie in the write-ahead log; without this a disk with little room left would stay full for ever. */
    @Test
    void aFullDiskIsTriedAgainOnceRoomIsMade() throws Exception {
        AtomicInteger room = new AtomicInteger();
        Session session = new Session(DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("muster.db")));
        try (GroupCommit commits = new GroupCommit(
                session,
                GroupCommitTest::explain,
                disk(() -> room.incrementAndGet() < 3, () -> false, () -> false),
                CommitHook.NONE)) {
            int done = commits.call(Room.FREE, work -> {
                insert(work, 1);
                if (room.get() == 0) {
                    throw new SQLException("no room", "", SQLiteErrorCode.SQLITE_FULL.code);
                }
                return 5;
            });
            assertThat(done).isEqualTo(5);
            assertThatThrownBy(() -> commits.call(Room.FREE, work -> {
                        throw new SQLException("another", "", 1);
                    }))
                    .isInstanceOf(StoreException.class);
            assertThat(room).hasValue(1);
            assertThatThrownBy(() -> commits.call(Room.FREE, work -> {
                        throw new SQLException("no room", "", SQLiteErrorCode.SQLITE_FULL.code);
                    }))
                    .isInstanceOf(StoreException.class);
            assertThat(room).hasValue(2);
        }
        assertThat(rows()).containsExactly(1L);
    }

    private static FullDisk disk(BooleanSupplier emptied, BooleanSupplier givenUp, BooleanSupplier isShort) {
        return new FullDisk() {
            @Override
            public boolean emptyLog(Session session) {
                return emptied.getAsBoolean();
            }

            @Override
            public boolean giveUp() {
                return givenUp.getAsBoolean();
            }

            @Override
            public Optional<StoreException> refusal() {
                return isShort.getAsBoolean()
                        ? Optional.of(new StoreException("short", StoreException.Kind.DISK_FULL, null))
                        : Optional.empty();
            }
        };
    }

    /** Only what ends something gets the room that was kept for it, a piece at a time, though others wait for the same commit. */
    @Test
    void anEndIsStoredInTheRoomThatWasKept() throws Exception {
        AtomicInteger pieces = new AtomicInteger(4);
        Session session = new Session(DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("muster.db")));
        try (GroupCommit commits = new GroupCommit(
                session,
                GroupCommitTest::explain,
                disk(() -> false, () -> pieces.getAndUpdate(left -> Math.max(0, left - 1)) > 0, () -> pieces.get() < 4),
                CommitHook.NONE)) {
            Work<Integer> fitsAfterTwo = work -> {
                insert(work, 1);
                if (pieces.get() > 2) {
                    throw new SQLException("no room", "", SQLiteErrorCode.SQLITE_FULL.code);
                }
                return 5;
            };
            assertThatThrownBy(() -> commits.call(Room.FREE, fitsAfterTwo)).isInstanceOf(StoreException.class);
            assertThat(pieces).hasValue(4);
            assertThat(commits.call(Room.KEPT, fitsAfterTwo)).isEqualTo(5);
            assertThat(pieces).hasValue(2);
            assertThatThrownBy(() -> commits.call(Room.FREE, work -> 0)).hasMessage("short");
            assertThatThrownBy(() -> commits.call(Room.KEPT, work -> {
                        throw new SQLException("no room", "", SQLiteErrorCode.SQLITE_FULL.code);
                    }))
                    .isInstanceOf(StoreException.class);
            assertThat(pieces).hasValue(0);
        }
        assertThat(rows()).containsExactly(1L);
    }

    @Test
    void anInterruptedCallerStillGetsItsAnswer() throws Exception {
        Thread caller = Thread.ofPlatform().unstarted(() -> {
            Thread.currentThread().interrupt();
            database.write(session -> {
                insert(session, 7);
                return null;
            });
            if (!Thread.interrupted()) {
                throw new AssertionError("the interrupt was lost");
            }
        });
        AtomicInteger failures = new AtomicInteger();
        caller.setUncaughtExceptionHandler((thread, failure) -> failures.incrementAndGet());
        caller.start();
        caller.join();
        assertThat(failures).hasValue(0);
        assertThat(rows()).containsExactly(7L);
    }

    @Test
    void aReaderMayNotWrite() {
        assertThatThrownBy(() -> database.read(session -> session.update("insert into t (n) values (1)")))
                .isInstanceOf(StoreException.class);
        assertThat(rows()).isEmpty();
    }

    @Test
    void closingDoesWhatWasHandedIn() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> answer = clients.submit(() -> database.write(session -> {
                held.countDown();
                insert(session, 1);
                return null;
            }));
            held.await();
            database.close();
            answer.get();
        }
        database = new SqliteDatabase(folder.resolve("muster.db"));
        assertThat(rows()).containsExactly(1L);
    }

    private static StoreException explain(SQLException failed) {
        return new StoreException(
                "full",
                failed.getErrorCode() == SQLiteErrorCode.SQLITE_FULL.code
                        ? StoreException.Kind.DISK_FULL
                        : StoreException.Kind.OTHER,
                failed);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
