package dev.muster.store;

import dev.muster.spi.JobStore.StoreException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;

/**
 * SQLite in write-ahead mode with full sync: one writer that commits for all, read-only connections beside it. See
 * docs/adr on why there is no pool.
 */
final class SqliteDatabase implements Database {
    private static final Logger LOG = System.getLogger(SqliteDatabase.class.getName());
    private static final long NO_ROOM = 1L << 20;
    private static final int BUSY_MILLIS = 10_000;

    /** What opening the database takes: SQLite makes an index of 32 KiB beside it, and removes it when it is closed well. */
    private static final long FOR_A_START = 64 << 10;

    /** What ending jobs takes until there is room again: some KiB each, most of which can be used again and again. */
    private static final long FOR_ENDS = 4 << 20;

    /** How much of that is given up at once, so that another program does not get all of it. */
    private static final long PIECE = 512 << 10;

    /** So much has to be free before it is taken, and taken back. */
    private static final long PLENTY = 4 * FOR_ENDS;

    /** One writer: nothing has to be locked. */
    private static final Dialect DIALECT = new Dialect(
            false,
            "cast(unixepoch('subsec') * 1000 as integer)",
            "",
            "",
            "update clock set latest = ?1 where latest < ?1");

    private final Path file;
    private final KeptRoom startRoom;
    private final KeptRoom endRoom;
    private boolean givenUp;
    private String damage = "";
    private final GroupCommit writer;
    private final Readers readers;

    /** Opens the file, makes it when it is not there, and brings its tables up to date. */
    SqliteDatabase(Path file) {
        this(file, CommitHook.NONE);
    }

    /** @param hook called around every commit */
    SqliteDatabase(Path file, CommitHook hook) {
        this.file = file;
        this.startRoom = new KeptRoom(file.resolveSibling("reserve"), FOR_A_START);
        this.endRoom = new KeptRoom(file.resolveSibling("reserve.ends"), FOR_ENDS);
        try {
            create(file);
            Session session = opened();
            startRoom.keep();
            keepForEnds();
            this.writer = new GroupCommit(session, this::explain, onFullDisk(), hook);
            this.readers = new Readers(() -> connect(true), this::explain);
        } catch (SQLException failed) {
            throw explain(failed);
        } catch (IOException failed) {
            throw new StoreException(
                    "the database " + file + " cannot be opened: " + failed.getMessage(),
                    noRoom() ? StoreException.Kind.DISK_FULL : StoreException.Kind.OTHER,
                    failed);
        }
    }

    /** On a full disk once more, with the room that was kept for this. */
    private Session opened() throws SQLException {
        try {
            return open();
        } catch (SQLException failed) {
            if (!explain(failed).diskFull() || !startRoom.giveUp(FOR_A_START)) {
                throw failed;
            }
            return open();
        }
    }

    private Session open() throws SQLException {
        Session session = connect(false);
        try {
            session.first("PRAGMA journal_mode = WAL", row -> 0);
            // What is deleted, such as a sealed secret, is overwritten.
            session.first("PRAGMA secure_delete = ON", row -> 0);
            Migration.apply(session, file);
            return session;
        } catch (SQLException | RuntimeException failed) {
            session.close();
            throw failed;
        }
    }

    private static void create(Path file) throws IOException {
        try {
            Files.createFile(file, OwnerOnly.FILE);
        } catch (FileAlreadyExistsException there) {
            Files.setPosixFilePermissions(file, OwnerOnly.FILE.value());
        }
    }

    private Session connect(boolean readOnly) throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setReadOnly(readOnly);
        config.setBusyTimeout(BUSY_MILLIS);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.enforceForeignKeys(true);
        Properties properties = config.toProperties();
        Connection connection = JDBC.createConnection("jdbc:sqlite:" + file, properties);
        return new Session(connection);
    }

    @Override
    public Dialect dialect() {
        return DIALECT;
    }

    @Override
    public <T> T write(String about, Room room, Work<T> work) {
        return writer.call(room, work);
    }

    private FullDisk onFullDisk() {
        return new FullDisk() {
            /** Moves the write-ahead log into the database, most of it to pages that are there, and cuts it to nothing. */
            @Override
            public boolean emptyLog(Session session) throws SQLException {
                return session.first("PRAGMA wal_checkpoint(TRUNCATE)", row -> row.integer("busy") == 0)
                        .orElse(false);
            }

            @Override
            public boolean giveUp() {
                givenUp = true;
                return endRoom.giveUp(PIECE);
            }

            @Override
            public Optional<StoreException> refusal() {
                if (givenUp) {
                    keepForEnds();
                }
                return givenUp ? Optional.of(full(null)) : Optional.empty();
            }
        };
    }

    /** By the writer's thread, or before there is one. What was given up by a service that died since is missed too. */
    private void keepForEnds() {
        if (free() >= PLENTY) {
            endRoom.keep();
        }
        givenUp = endRoom.lacksSome();
    }

    private StoreException full(SQLException failed) {
        return new StoreException(
                "there is no room left for the database " + file + "; nothing was changed; free some space ("
                        + (PLENTY >> 20) + " MiB at least) and try again",
                StoreException.Kind.DISK_FULL,
                failed);
    }

    /** A setting of the writing connection, such as a bound on the size of the file. */
    void pragma(String setting) {
        write(session -> session.first("PRAGMA " + setting, row -> 0));
    }

    @Override
    public <T> T read(Work<T> work) {
        return readers.call(work);
    }

    @Override
    public void changed(String id, long version, boolean over) {
        // One process at a time has the file open.
    }

    @Override
    public void listen(Consumer<String> changed) {
        // Nobody else changes anything.
    }

    private StoreException explain(SQLException failed) {
        int code = failed.getErrorCode() & 0xff;
        if (code == SQLiteErrorCode.SQLITE_FULL.code || code == SQLiteErrorCode.SQLITE_IOERR.code && noRoom()) {
            return full(failed);
        }
        if (code == SQLiteErrorCode.SQLITE_BUSY.code) {
            return new StoreException(
                    "another program holds the database " + file + " locked; nothing was changed; end that program",
                    StoreException.Kind.OTHER,
                    failed);
        }
        if (code == SQLiteErrorCode.SQLITE_NOTADB.code) {
            return new StoreException(
                    "the file " + file + " is damaged or is no database; put a copy back or move it away",
                    StoreException.Kind.DAMAGED,
                    failed);
        }
        if (code == SQLiteErrorCode.SQLITE_CORRUPT.code) {
            return new StoreException(damage(), StoreException.Kind.DAMAGED, failed);
        }
        return new StoreException(
                "the database " + file + " failed: " + failed.getMessage(), StoreException.Kind.OTHER, failed);
    }

    /** Looked at once, as it reads the whole file, and told in the log. */
    private synchronized String damage() {
        if (damage.isEmpty()) {
            String found;
            try (Session session = connect(true)) {
                found = String.join(
                        "; ", session.query("PRAGMA integrity_check(3)", row -> row.text("integrity_check")));
            } catch (SQLException unreadable) {
                found = unreadable.getMessage();
            }
            damage = "the database " + file + " is damaged (PRAGMA integrity_check: " + found.replace('\n', ' ')
                    + "); jobs whose rows can be read go on; stop the service and put a copy of the file back, or save what"
                    + " can be read: sqlite3 " + file.getFileName() + " .recover | sqlite3 NEW";
            LOG.log(Level.ERROR, damage);
        }
        return damage;
    }

    private boolean noRoom() {
        return free() < NO_ROOM;
    }

    /** Room on the disk; without bound when that cannot be told. */
    private long free() {
        try {
            return Files.getFileStore(file.getParent()).getUsableSpace();
        } catch (IOException unknown) {
            return Long.MAX_VALUE;
        }
    }

    @Override
    public void close() {
        readers.close();
        writer.close();
        // The files beside the database have just been removed: on a full disk there is room now or never.
        startRoom.keep();
    }
}
