package dev.muster.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.muster.spi.JobStore.StoreException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * PostgreSQL: a few writers that commit for all, each with a connection of its own at a time, and a pool of read-only connections that each
 * see one consistent state. A connection that was lost is replaced; what has not been committed through it is done again through
 * another, once.
 */
final class PostgresDatabase implements Database {
    private static final int WRITERS = 4;
    private static final int READERS = 8;
    private static final Dialect DIALECT = new Dialect(
            true,
            "(extract(epoch from clock_timestamp()) * 1000)::bigint",
            " for update",
            " for share",
            "insert into clock (writer, latest) values (pg_backend_pid() % 64, ?) on conflict (writer)"
                    + " do update set latest = excluded.latest where clock.latest < excluded.latest");

    /**
     * A replica that was cut off in the middle of a transaction must not keep others waiting for the rows it has locked: the server ends
     * its session. Milliseconds.
     */
    private static final String SERVER_LIMITS = "-c idle_in_transaction_session_timeout=5000 -c lock_timeout=5000"
            + " -c statement_timeout=15000 -c tcp_user_timeout=10000 -c tcp_keepalives_idle=5"
            + " -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3";

    private final PostgresSettings settings;
    private final PostgresFaults faults;
    private final HikariDataSource forWriters;
    private final HikariDataSource forReaders;
    private final PostgresWriter[] writers;
    private final PostgresNews news;

    /**
     * @param self tells what this store wrote from what others did
     * @param hook called around every commit
     */
    PostgresDatabase(PostgresSettings settings, long self, CommitHook hook) {
        this.settings = settings;
        this.faults = new PostgresFaults(settings.shown());
        look(settings, session -> {
            PostgresMigration.apply(session, settings.shown());
            return true;
        });
        this.forWriters = pool("muster-writers", WRITERS + 1, false);
        this.forReaders = pool("muster-readers", READERS, true);
        this.writers = IntStream.range(0, WRITERS)
                .mapToObj(number -> new PostgresWriter(
                        number, () -> forWriters.getConnection(), PostgresDatabase::session, faults, hook))
                .toArray(PostgresWriter[]::new);
        this.news = new PostgresNews(Long.toHexString(self), () -> connect(settings), () -> forWriters.getConnection());
    }

    /** Works in a session of its own, before there is a pool. */
    static <T> T look(PostgresSettings settings, Work<T> work) {
        try (Session session = session(connect(settings))) {
            return work.in(session);
        } catch (SQLException failed) {
            throw new PostgresFaults(settings.shown()).explain(failed);
        }
    }

    private static Properties properties(PostgresSettings settings) {
        Properties properties = new Properties();
        properties.setProperty("user", settings.user());
        settings.password().ifPresent(password -> properties.setProperty("password", password));
        properties.setProperty("ApplicationName", "muster");
        properties.setProperty("connectTimeout", "5");
        properties.setProperty("socketTimeout", "20");
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("options", SERVER_LIMITS);
        return properties;
    }

    /** A connection that belongs to no pool. */
    private static Connection connect(PostgresSettings settings) throws SQLException {
        return DriverManager.getConnection(settings.url(), properties(settings));
    }

    private HikariDataSource pool(String name, int most, boolean readOnly) {
        HikariConfig config = new HikariConfig();
        config.setPoolName(name);
        config.setJdbcUrl(settings.url());
        config.setDataSourceProperties(properties(settings));
        config.setMaximumPoolSize(most);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(5_000);
        config.setValidationTimeout(3_000);
        config.setInitializationFailTimeout(-1);
        config.setAutoCommit(false);
        config.setReadOnly(readOnly);
        if (readOnly) {
            config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
        }
        return new HikariDataSource(config);
    }

    /** A text in PostgreSQL has no character 0, and the driver no half of a pair. */
    private static Session session(Connection connection) {
        return new Session(connection, PostgresDatabase::storable);
    }

    private static String storable(String text) {
        boolean plain = text.chars().noneMatch(c -> c == 0 || Character.isSurrogate((char) c));
        if (plain) {
            return text;
        }
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints()
                .map(c -> c == 0 || c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xfffd : c)
                .forEach(clean::appendCodePoint);
        return clean.toString();
    }

    @Override
    public Dialect dialect() {
        return DIALECT;
    }

    @Override
    public <T> T write(String about, Room room, Work<T> work) {
        return writers[Math.floorMod(about.hashCode(), WRITERS)].call(work);
    }

    @Override
    public <T> T read(Work<T> work) {
        try {
            return readOnce(work);
        } catch (SQLException failed) {
            if (!PostgresFaults.isConnectionLost(failed)) {
                throw faults.explain(failed);
            }
        }
        try {
            return readOnce(work);
        } catch (SQLException again) {
            throw faults.explain(again);
        }
    }

    private <T> T readOnce(Work<T> work) throws SQLException {
        if (forReaders.isClosed()) {
            throw new StoreException("the store is closed", StoreException.Kind.OTHER, null);
        }
        Connection connection = forReaders.getConnection();
        try (Session session = session(connection)) {
            T result = work.in(session);
            connection.commit();
            return result;
        }
    }

    @Override
    public void changed(String id, long version, boolean over) {
        news.wrote(id, version, over);
    }

    @Override
    public void listen(Consumer<String> changed) {
        news.listen(changed);
    }

    @Override
    public void close() {
        for (PostgresWriter writer : writers) {
            writer.close();
        }
        news.close();
        forReaders.close();
        forWriters.close();
    }
}
