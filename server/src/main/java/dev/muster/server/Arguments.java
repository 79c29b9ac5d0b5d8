package dev.muster.server;

import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the service is started with.
 *
 * @param home MUSTER_HOME
 * @param idle how long it goes on while nobody uses it and nothing runs
 */
record Arguments(Path home, Duration idle) {
    static final Duration IDLE = Duration.ofMinutes(15);
    static final String USAGE = "usage: --home DIR [--idle DURATION]   (DURATION such as 90s, 15m or 1h30m)";

    /** Arguments that mean nothing; the message says which and what is meant. */
    static final class UsageException extends Exception {
        private static final long serialVersionUID = 1L;

        UsageException(String message) {
            super(message + "\n" + USAGE);
        }
    }

    /**
     * Reads the command line; without {@code --home} MUSTER_HOME, else {@code .muster} in the user's home folder.
     *
     * @param environment of this process
     */
    static Arguments read(List<String> arguments, Map<String, String> environment, String userHome)
            throws UsageException {
        Optional<Path> home = Optional.ofNullable(environment.get("MUSTER_HOME"))
                .filter(text -> !text.isBlank())
                .map(Path::of);
        Duration idle = IDLE;
        Iterator<String> words = arguments.iterator();
        while (words.hasNext()) {
            String name = words.next();
            switch (name) {
                case "--home" -> home = Optional.of(Path.of(value(name, words)));
                case "--idle" -> idle = duration(value(name, words));
                default -> throw new UsageException("there is no argument '" + name + "'");
            }
        }
        return new Arguments(
                home.orElse(Path.of(userHome, ".muster")).toAbsolutePath().normalize(), idle);
    }

    private static String value(String name, Iterator<String> words) throws UsageException {
        if (!words.hasNext()) {
            throw new UsageException(name + " needs a value");
        }
        return words.next();
    }

    private static Duration duration(String text) throws UsageException {
        try {
            Duration duration = Duration.parse("PT" + text);
            if (duration.isPositive()) {
                return duration;
            }
        } catch (DateTimeParseException notADuration) {
            // told below
        }
        throw new UsageException("--idle must be a duration of more than 0, not '" + text + "'");
    }
}
