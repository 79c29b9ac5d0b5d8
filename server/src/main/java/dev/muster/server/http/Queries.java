package dev.muster.server.http;

import dev.muster.api.FieldProblem;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/** The parameters of one query. Each that is wrong is noted down, and counts as absent until all have been read. */
public final class Queries {
    private static final Instant LATEST = Instant.parse("2201-01-01T00:00:00Z");

    private final Exchange exchange;
    private final List<FieldProblem> problems = new ArrayList<>();

    private Queries(Exchange exchange) {
        this.exchange = exchange;
    }

    /**
     * What the reader makes of the parameters.
     *
     * @throws ProblemException which tells all that are wrong
     */
    public static <T> T read(Exchange exchange, Function<Queries, T> reader) {
        Queries queries = new Queries(exchange);
        T value = reader.apply(queries);
        if (!queries.problems.isEmpty()) {
            throw ProblemException.invalid(queries.problems);
        }
        return value;
    }

    /** Notes down that a parameter is wrong. */
    public void wrong(String name, String message, Optional<String> suggestion) {
        problems.add(new FieldProblem(name, message, suggestion));
    }

    public Optional<String> text(String name) {
        return exchange.query(name);
    }

    /** {@code true} or {@code false}; false when absent. */
    public boolean flag(String name) {
        String text = text(name).orElse("false");
        if (!text.equals("true") && !text.equals("false")) {
            wrong(name, name + " must be true or false", Optional.empty());
        }
        return text.equals("true");
    }

    /** A time in ISO-8601 with its offset, of this age. */
    public Optional<Instant> time(String name) {
        return text(name).flatMap(text -> {
            try {
                Instant time = OffsetDateTime.parse(text).toInstant();
                if (!time.isBefore(Instant.EPOCH) && time.isBefore(LATEST)) {
                    return Optional.of(time);
                }
            } catch (DateTimeException notATime) {
                // told below, together with a time out of bounds
            }
            wrong(name, name + " must be a time such as 2026-01-31T12:00:00Z, from 1970 to 2200", Optional.empty());
            return Optional.empty();
        });
    }

    /** A whole number between bounds. */
    public OptionalLong number(String name, long min, long max) {
        Optional<String> text = text(name);
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            long value = Long.parseLong(text.get());
            if (value >= min && value <= max) {
                return OptionalLong.of(value);
            }
        } catch (NumberFormatException notANumber) {
            // told below, together with a number out of bounds
        }
        wrong(name, name + " must be a whole number from " + min + " to " + max, Optional.empty());
        return OptionalLong.empty();
    }

    /** The same, of the size of an int. */
    public int number(String name, int min, int max, int otherwise) {
        return (int) number(name, (long) min, (long) max).orElse(otherwise);
    }
}
