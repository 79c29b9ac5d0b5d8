package dev.muster.server.log;

import dev.muster.server.system.WallTime;
import java.text.MessageFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.ResourceBundle;
import java.util.stream.Stream;

/**
 * Gives every part of this JVM its {@code System.Logger}, found by the JDK as a service: no logging library has to start, or to be stopped
 * while the service still has something to say. Libraries are heard only when something is wrong. Until a log is installed, warnings go
 * to standard error.
 */
public final class ServiceLoggers extends System.LoggerFinder {
    private static final String HANG_UP = "InsufficientDataAvailableException";

    /** The client of Kubernetes, which tells at length of each pod that cannot be reached just now. */
    private static final String TALKATIVE = "io.fabric8.";

    private static final Troubles TROUBLES = new Troubles();

    private static volatile Optional<ServiceLog> target = Optional.empty();

    static void writeTo(ServiceLog log) {
        target = Optional.of(log);
    }

    @Override
    public System.Logger getLogger(String name, Module module) {
        return new Lines(name);
    }

    private record Lines(String name) implements System.Logger {
        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isLoggable(Level level) {
            boolean ours = name.startsWith("dev.muster") && target.isPresent();
            Level least = ours ? Level.INFO : Level.WARNING;
            return level.getSeverity() >= least.getSeverity() && level != Level.OFF;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
            write(level, message, Optional.ofNullable(thrown));
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... values) {
            boolean plain = values == null || values.length == 0;
            write(level, plain ? format : MessageFormat.format(format, values), Optional.empty());
        }

        /** The HTTP server tells of a client that hangs up amid the head of a request as of a fault of its own. */
        private boolean isHangUp(Throwable thrown) {
            return name.startsWith("io.helidon.webserver")
                    && Stream.iterate(thrown, Objects::nonNull, Throwable::getCause)
                            .anyMatch(cause -> cause.getClass().getSimpleName().equals(HANG_UP));
        }

        private void write(Level level, String message, Optional<Throwable> thrown) {
            if (!isLoggable(level) || thrown.filter(this::isHangUp).isPresent()) {
                return;
            }
            if (name.startsWith(TALKATIVE)) {
                TROUBLES.line(name, message, thrown, WallTime.now())
                        .ifPresent(line -> send(level, line, Optional.empty()));
            } else {
                send(level, message, thrown);
            }
        }

        private void send(Level level, String message, Optional<Throwable> thrown) {
            String line = WallTime.now() + " " + level + " " + name + ": " + message;
            target.ifPresentOrElse(log -> log.write(line, thrown), () -> System.err.println(line));
        }
    }
}
