package dev.muster.control;

import dev.muster.spi.BackendException;
import dev.muster.spi.Clock;
import dev.muster.spi.JobStore.StoreException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Writes to the log of the service. What fails again and again is told once, and again when it fails otherwise or after it had not failed for
 * a while; a full disk is one trouble, whatever it keeps from being done. A trouble that explains itself has no stack trace.
 */
public final class LogMonitor implements Monitor {
    private static final Duration FORGOTTEN = Duration.ofMinutes(5);
    private static final int REMEMBERED = 1000;

    private final Logger log;
    private final Clock clock;
    private final Map<String, Trouble> troubles = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Trouble> eldest) {
            return size() > REMEMBERED;
        }
    };

    private record Trouble(String problem, Instant last) {}

    public LogMonitor(Clock clock) {
        this(System.getLogger(Monitor.class.getName()), clock);
    }

    LogMonitor(Logger log, Clock clock) {
        this.log = log;
        this.clock = clock;
    }

    @Override
    public void retrying(String what, Throwable problem) {
        boolean full = problem instanceof StoreException store && store.diskFull();
        if (!isNew(full ? "disk" : what, String.valueOf(problem))) {
            return;
        }
        String told = what + " failed and will be tried again"
                + (full ? ", like all else that needs room, which is not told each time: " : ": ")
                + (explainsItself(problem) ? problem.getMessage() : problem);
        if (explainsItself(problem)) {
            log.log(Level.WARNING, told);
        } else {
            log.log(Level.WARNING, told, problem);
        }
    }

    private synchronized boolean isNew(String what, String problem) {
        Instant now = clock.now();
        Optional<Trouble> before = Optional.ofNullable(troubles.put(what, new Trouble(problem, now)));
        return before.filter(known -> known.problem().equals(problem))
                .filter(known -> now.isBefore(known.last().plus(FORGOTTEN)))
                .isEmpty();
    }

    private static boolean explainsItself(Throwable problem) {
        return switch (problem) {
            case StoreException store -> store.kind() != StoreException.Kind.OTHER;
            case BackendException backend -> backend.kind() == BackendException.Kind.NO_CONTACT;
            default -> false;
        };
    }

    @Override
    public void tookUp(int jobs, Duration took) {
        log.log(Level.INFO, "took up " + jobs + " jobs in " + took.toMillis() + " ms");
    }
}
