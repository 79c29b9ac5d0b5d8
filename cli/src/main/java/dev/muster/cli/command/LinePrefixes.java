package dev.muster.cli.command;

import dev.muster.api.Document;
import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the service puts before the lines of a log: {@code worker-0 | }, with all attempts {@code worker-0 a2 | }, and with one process
 * only {@code a2 | } or nothing.
 *
 * @param process     whose lines alone they are
 * @param allAttempts whether each line tells its attempt
 */
record LinePrefixes(Optional<String> process, boolean allAttempts) {
    private static final String SEPARATOR = " | ";

    /**
     * A line of output.
     *
     * @param attempt where the line tells it
     */
    record Line(Optional<String> process, OptionalInt attempt, String text) implements Document {
        @Override
        public JsonFields toJson() {
            return Json.object()
                    .put("process", Json.ofText(process))
                    .put("attempt", Json.of(attempt))
                    .put("text", text)
                    .build();
        }
    }

    Line read(String line) {
        int separator = process.isPresent() && !allAttempts ? -1 : line.indexOf(SEPARATOR);
        if (separator < 0) {
            return new Line(process, OptionalInt.empty(), line);
        }
        String prefix = line.substring(0, separator);
        String text = line.substring(separator + SEPARATOR.length());
        int mark = allAttempts ? prefix.lastIndexOf('a') : -1;
        OptionalInt attempt = mark < 0 ? OptionalInt.empty() : number(prefix.substring(mark + 1));
        if (attempt.isEmpty()) {
            return new Line(Optional.of(prefix), OptionalInt.empty(), text);
        }
        return new Line(
                process.isPresent()
                        ? process
                        : Optional.of(prefix.substring(0, mark).strip()),
                attempt,
                text);
    }

    private static OptionalInt number(String digits) {
        try {
            return OptionalInt.of(Integer.parseInt(digits));
        } catch (NumberFormatException none) {
            return OptionalInt.empty();
        }
    }
}
