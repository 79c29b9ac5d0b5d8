package dev.muster.server.http;

import java.util.OptionalLong;

/** Reads query parameters; what cannot be read is answered with its name and rule. */
public final class Queries {
    private Queries() {}

    /** {@code true} or {@code false}; false when absent, true when it has no value. */
    public static boolean flag(Exchange exchange, String name) {
        return switch (exchange.query(name).orElse("false")) {
            case "true", "" -> true;
            case "false" -> false;
            default -> throw ProblemException.invalid(name, name + " must be true or false");
        };
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
