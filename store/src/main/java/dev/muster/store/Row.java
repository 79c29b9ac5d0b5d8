package dev.muster.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The row a query stands on, read by column name into the types of the model. */
final class Row {
    private static final long NANOS = 1_000_000_000L;
    private final ResultSet rows;

    Row(ResultSet rows) {
        this.rows = rows;
    }

    String text(String column) throws SQLException {
        String text = rows.getString(column);
        if (text == null) {
            throw new IllegalArgumentException(column + " is missing");
        }
        return text;
    }

    Optional<String> maybeText(String column) throws SQLException {
        return Optional.ofNullable(rows.getString(column));
    }

    int integer(String column) throws SQLException {
        return Math.toIntExact(number(column));
    }

    OptionalInt maybeInteger(String column) throws SQLException {
        OptionalLong value = maybeNumber(column);
        return value.isPresent() ? OptionalInt.of(Math.toIntExact(value.getAsLong())) : OptionalInt.empty();
    }

    /** 0 where there is none. */
    long number(String column) throws SQLException {
        return maybeNumber(column).orElse(0);
    }

    /** SQLite has whatever was put into a column, and turns it into some number when it is asked for one. */
    OptionalLong maybeNumber(String column) throws SQLException {
        Object value = rows.getObject(column);
        return switch (value) {
            case null -> OptionalLong.empty();
            case Long number -> OptionalLong.of(number);
            case Integer number -> OptionalLong.of(number);
            case Short number -> OptionalLong.of(number);
            default ->
                throw new IllegalArgumentException(column + " is no whole number but "
                        + String.valueOf(value)
                                .substring(0, Math.min(40, String.valueOf(value).length())));
        };
    }

    double real(String column) throws SQLException {
        double value = rows.getDouble(column);
        return rows.wasNull() ? Double.NaN : value;
    }

    byte[] bytes(String column) throws SQLException {
        return rows.getBytes(column);
    }

    Instant instant(String column) throws SQLException {
        return instant(number(column));
    }

    Optional<Instant> maybeInstant(String column) throws SQLException {
        OptionalLong value = maybeNumber(column);
        return value.isPresent() ? Optional.of(instant(value.getAsLong())) : Optional.empty();
    }

    Duration duration(String column) throws SQLException {
        return Duration.ofNanos(number(column));
    }

    <E extends Enum<E>> E constant(String column, Class<E> type) throws SQLException {
        return Enum.valueOf(type, text(column));
    }

    <E extends Enum<E>> Optional<E> maybeConstant(String column, Class<E> type) throws SQLException {
        return maybeText(column).map(name -> Enum.valueOf(type, name));
    }

    /** As a time is stored: nanoseconds since 1970. */
    static long nanos(Instant time) {
        return Math.addExact(Math.multiplyExact(time.getEpochSecond(), NANOS), time.getNano());
    }

    /** The same for a time that may be absent: null. */
    static Long nanos(Optional<Instant> time) {
        return time.isPresent() ? (Long) nanos(time.get()) : null;
    }

    static Instant instant(long nanos) {
        return Instant.ofEpochSecond(Math.floorDiv(nanos, NANOS), Math.floorMod(nanos, NANOS));
    }

    /** As a constant that may be absent is stored: its name or null. */
    static String name(Optional<? extends Enum<?>> constant) {
        return constant.isPresent() ? constant.get().name() : null;
    }
}
