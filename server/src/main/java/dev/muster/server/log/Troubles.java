package dev.muster.server.log;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Troubles of a library that also throws what it logs, with a stack trace, at each of its tries: who called it tells what that meant. Each is told in one
 * line, and not again for a while. Any thread may ask.
 */
final class Troubles {
    private static final Duration QUIET = Duration.ofMinutes(10);
    private static final int REMEMBERED = 100;

    private final Map<String, Instant> told = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Instant> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** The line to write, with the first cause in it; empty for a trouble that was told lately. */
    synchronized Optional<String> line(String logger, String message, Optional<Throwable> thrown, Instant now) {
        String line = message + thrown.map(each -> " (" + first(each) + ")").orElse("");
        // Another pod, port or time is no other trouble.
        String trouble = logger + line.replaceAll("\\S*\\d\\S*", "#");
        Instant last = told.get(trouble);
        if (last != null && now.isBefore(last.plus(QUIET))) {
            return Optional.empty();
        }
        told.remove(trouble);
        told.put(trouble, now);
        return Optional.of(line);
    }

    private static String first(Throwable thrown) {
        Throwable first = Stream.iterate(thrown, Objects::nonNull, Throwable::getCause)
                .reduce((outer, inner) -> inner)
                .orElse(thrown);
        return first.getClass().getSimpleName() + (first.getMessage() == null ? "" : ": " + first.getMessage());
    }
}
