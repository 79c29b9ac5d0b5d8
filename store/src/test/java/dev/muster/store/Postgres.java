package dev.muster.store;

import dev.muster.spi.JobStore;
import dev.muster.testkit.PostgresServer;
import dev.muster.testkit.SampleSpecCodec;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tables of a test's own on a real server, in a schema, which is made faster than a database; by default all tests of a run share one
 * server.
 */
final class Postgres {
    private static final AtomicInteger MADE = new AtomicInteger();
    private final PostgresServer server;
    private final String name = "t" + MADE.incrementAndGet();

    /** Started when the first test needs it, and ended with the run. */
    private static final class Shared {
        static final PostgresServer SERVER = start();

        private static PostgresServer start() {
            PostgresServer server = PostgresServer.start("max_connections=100");
            Runtime.getRuntime().addShutdownHook(new Thread(server::close));
            return server;
        }
    }

    Postgres(PostgresServer server) {
        this.server = server;
        sql(server.url("postgres"), "create schema " + name);
    }

    Postgres() {
        this(Shared.SERVER);
    }

    private String url() {
        return server.url("postgres") + "?currentSchema=" + name;
    }

    PostgresSettings settings(Path key) {
        return new PostgresSettings(url(), "muster", Optional.empty(), key);
    }

    JobStore open(Path key) {
        return PostgresJobStore.open(settings(key), new SampleSpecCodec(), (job, why) -> {});
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url(), "muster", "");
    }

    void sql(String change) {
        sql(url(), change);
    }

    /** The first value of the first row. */
    String value(String query) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void sql(String url, String change) {
        try (Connection connection = DriverManager.getConnection(url, "muster", "");
                Statement statement = connection.createStatement()) {
            statement.execute(change);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
