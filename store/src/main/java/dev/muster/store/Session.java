package dev.muster.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** One connection with its statements prepared once. For one thread at a time. */
final class Session implements AutoCloseable {
    private final Connection connection;
    private final UnaryOperator<String> text;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();

    Session(Connection connection) {
        this(connection, UnaryOperator.identity());
    }

    /** @param text what becomes of a text before it is stored or compared */
    Session(Connection connection, UnaryOperator<String> text) {
        this.connection = connection;
        this.text = text;
    }

    /** Reads one row. */
    @FunctionalInterface
    interface Reader<T> {
        T read(Row row) throws SQLException;
    }

    /** Changes rows; null stands for SQL's null. Returns how many rows changed. */
    int update(String sql, Object... values) throws SQLException {
        return with(sql, values, PreparedStatement::executeUpdate);
    }

    <T> List<T> query(String sql, Reader<T> reader, Object... values) throws SQLException {
        return with(sql, values, statement -> {
            try (ResultSet rows = statement.executeQuery()) {
                List<T> found = new ArrayList<>();
                Row row = new Row(rows);
                while (rows.next()) {
                    found.add(reader.read(row));
                }
                return found;
            }
        });
    }

    <T> Optional<T> first(String sql, Reader<T> reader, Object... values) throws SQLException {
        return with(sql, values, statement -> {
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? Optional.of(reader.read(new Row(rows))) : Optional.empty();
            }
        });
    }

    /** Runs a statement without values or result, such as BEGIN. */
    void execute(String sql) throws SQLException {
        with(sql, new Object[0], PreparedStatement::execute);
    }

    private <T> T with(String sql, Object[] values, Use<T> use) throws SQLException {
        PreparedStatement statement = prepared.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            prepared.put(sql, statement);
        }
        try {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i] instanceof String string ? text.apply(string) : values[i]);
            }
            return use.of(statement);
        } catch (SQLException failed) {
            // SQLite's driver lets go of a statement that failed; it must be prepared anew.
            prepared.remove(sql);
            try {
                statement.close();
            } catch (SQLException again) {
                failed.addSuppressed(again);
            }
            throw failed;
        }
    }

    /** What is done with a statement that has its values. */
    @FunctionalInterface
    private interface Use<T> {
        T of(PreparedStatement statement) throws SQLException;
    }

    @Override
    public void close() throws SQLException {
        for (PreparedStatement statement : prepared.values()) {
            statement.close();
        }
        connection.close();
    }
}
