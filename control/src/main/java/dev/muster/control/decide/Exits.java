package dev.muster.control.decide;

import dev.muster.model.Attempt;
import dev.muster.model.Attempt.Exit;
import dev.muster.model.Cause;
import dev.muster.model.Signals;
import dev.muster.spi.Sighting.Seen;
import dev.muster.spi.Telemetry.LogFindings;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** What the end of a process means: the table of exit codes. */
final class Exits {
    /** Codes of a process that somebody ended: SIGINT, SIGKILL, SIGTERM. */
    private static final Set<Integer> KILLED = Set.of(130, 137, 143);

    private static final int SIGKILL = 137;
    private static final int SIGTERM = 143;

    /**
     * How far the time of an end may lie behind Muster's own clock: a host may tell times by a coarse clock (file times on Linux lag by a
     * tick), so an end that Muster brought about can seem to lie just before Muster's own deed.
     */
    private static final Duration COARSE = Duration.ofMillis(50);

    /** The same of an attempt whose program never began, of which a cluster tells the time in whole seconds. */
    private static final Duration WHOLE_SECONDS = Duration.ofSeconds(1);

    private static final int LONGEST_LINE = 300;

    private Exits() {}

    /** @param sharedMemory how a job gets more shared memory where it ran */
    static Exit of(
            Attempt attempt,
            Optional<Instant> asked,
            Seen.Ended seen,
            LogFindings findings,
            Duration grace,
            String sharedMemory) {
        boolean byMuster = asked.isPresent() && endedByMuster(seen, asked.get(), grace);
        Optional<Cause> cause = cause(byMuster, seen, findings);
        // What one that was asked to end said last is no reason.
        Optional<String> last =
                byMuster ? Optional.empty() : findings.lastLine().map(Exits::shorten);
        Optional<String> says = seen.message()
                .map(Exits::shorten)
                .map(text -> cause.equals(Optional.of(Cause.LAUNCH_FAILED)) ? text + endOfLog(text, last) : text)
                .or(() -> last)
                .map(text -> findings.sharedMemoryFull() && !byMuster
                        ? text + " (shared memory is used up: " + sharedMemory + ")"
                        : text);
        return new Exit(
                OptionalInt.of(seen.code()),
                cause,
                cause.map(code -> code.because(sentence(attempt, seen, says, code))),
                seen.endedAt());
    }

    /** Where a shell did not find a program, only its log tells which. */
    private static String endOfLog(String text, Optional<String> last) {
        return last.filter(line -> !text.contains(line))
                .map(line -> "; its log ends: " + line)
                .orElse("");
    }

    static Exit vanished(Attempt attempt, Cause cause, String message, Instant now) {
        String what = cause == Cause.LOST ? " vanished without an exit code: " : ": ";
        return new Exit(
                OptionalInt.empty(),
                Optional.of(cause),
                Optional.of(cause.because(attempt.name() + what + message)),
                now);
    }

    private static Optional<Cause> cause(boolean byMuster, Seen.Ended seen, LogFindings findings) {
        if (seen.code() == 0) {
            return Optional.empty();
        }
        if (seen.outOfMemory()) {
            return Optional.of(Cause.OUT_OF_MEMORY);
        }
        if (seen.cause().isPresent()) {
            return seen.cause();
        }
        if (byMuster) {
            return Optional.empty();
        }
        if (seen.code() == 126 || seen.code() == 127) {
            return Optional.of(Cause.LAUNCH_FAILED);
        }
        if (findings.diskFull()) {
            return Optional.of(Cause.DISK_FULL);
        }
        if (KILLED.contains(seen.code())) {
            return Optional.of(Cause.KILLED);
        }
        return Optional.of(findings.peerKilled() ? Cause.KILLED : Cause.USER_ERROR);
    }

    /**
     * Whether Muster brought the end about. A SIGKILL before the grace time is over, after Muster asked, is somebody else's, but where the program had not
     * begun: there is nothing to be asked then, and it is taken away at once.
     */
    private static boolean endedByMuster(Seen.Ended seen, Instant asked, Duration grace) {
        if (seen.startedAt().isEmpty() && KILLED.contains(seen.code())) {
            return !seen.endedAt().isBefore(asked.minus(WHOLE_SECONDS));
        }
        return switch (seen.code()) {
            case SIGKILL -> !seen.endedAt().isBefore(asked.plus(grace).minus(COARSE));
            case SIGTERM -> !seen.endedAt().isBefore(asked.minus(COARSE));
            default -> !seen.endedAt().isBefore(asked);
        };
    }

    private static String sentence(Attempt attempt, Seen.Ended seen, Optional<String> says, Cause cause) {
        String code = "exit code " + seen.code();
        Optional<String> signal = Signals.ofExitCode(seen.code());
        String what;
        if (seen.cause().isPresent() && cause == seen.cause().get()) {
            what = " was ended by its platform (" + code + ")";
        } else if (cause == Cause.OUT_OF_MEMORY) {
            what = seen.code() == SIGKILL
                    ? " went over its memory limit and was ended (" + code + ")"
                    : " went over its memory limit and a process of it was killed (" + code + ")";
        } else if (cause == Cause.LAUNCH_FAILED) {
            what = " could not be run (" + code + ")";
        } else if (cause == Cause.KILLED && signal.isEmpty()) {
            what = " ended as a child of it was killed (" + code + ")";
        } else if (cause == Cause.KILLED) {
            what = " was ended by SIG" + signal.get() + ", not by Muster (" + code + ")";
        } else if (signal.isPresent()) {
            what = " crashed with SIG" + signal.get() + " (" + code + ")";
        } else {
            what = " ended with " + code;
        }
        return attempt.name() + what + says.map(text -> ": " + text).orElse("");
    }

    static String shorten(String line) {
        String text = line.strip();
        return text.length() <= LONGEST_LINE ? text : text.substring(0, LONGEST_LINE) + "…";
    }
}
