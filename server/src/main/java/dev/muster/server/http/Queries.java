package dev.muster.server.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads query parameters; what cannot be read is answered with its name and rule. */
public final class Queries {
    private static final Instant LATEST = Instant.parse("2201-01-01T00:00:00Z");

    private Queries() {}

    /** {@code true} or {@code false}; false when absent. */
    public static boolean flag(Exchange exchange, String name) {
        return switch (exchange.query(name).orElse("false")) {
            case "true" -> true;
            case "false" -> false;
            default -> throw ProblemException.invalid(name, name + " must be true or false");
        };
    }

    /** A time in ISO-8601 with its offset, of this age. */
    public static Optional<Instant> time(Exchange exchange, String name) {
        return exchange.query(name).map(text -> {
            try {
                Instant time = OffsetDateTime.parse(text).toInstant();
                if (!time.isBefore(Instant.EPOCH) && time.isBefore(LATEST)) {
                    return time;
                }
            } catch (DateTimeException notATime) {
                // told below, together with a time out of bounds
            }
            throw ProblemException.invalid(
                    name, name + " must be a time such as 2026-01-31T12:00:00Z, from 1970 to 2200");
        });
    }

    /** A whole number between bounds. */
    public static OptionalLong number(Exchange exchange, String name, long min, long max) {
        if (exchange.query(name).isEmpty()) {
            return OptionalLong.empty();
        }
        String text = exchange.query(name).get();
        try {
            long value = Long.parseLong(text);
            if (value >= min && value <= max) {
                return OptionalLong.of(value);
            }
        } catch (NumberFormatException notANumber) {
            // told below, together with a number out of bounds
        }
        throw ProblemException.invalid(name, name + " must be a whole number from " + min + " to " + max);
    }
}
