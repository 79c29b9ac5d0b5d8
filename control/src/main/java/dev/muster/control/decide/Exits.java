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
    private static final int LONGEST_LINE = 300;

    private Exits() {}

    static Exit of(Attempt attempt, Seen.Ended seen, LogFindings findings, Duration grace) {
        Optional<Cause> cause = cause(attempt, seen, findings, grace);
        return new Exit(
                OptionalInt.of(seen.code()),
                cause,
                cause.map(code -> code.because(sentence(attempt, seen, findings, code))),
                seen.endedAt());
    }

    static Exit vanished(Attempt attempt, String message, Instant now) {
        return new Exit(
                OptionalInt.empty(),
                Optional.of(Cause.LOST),
                Optional.of(Cause.LOST.because(attempt.name() + " vanished without an exit code: " + message)),
                now);
    }

    private static Optional<Cause> cause(Attempt attempt, Seen.Ended seen, LogFindings findings, Duration grace) {
        if (seen.code() == 0) {
            return Optional.empty();
        }
        if (seen.outOfMemory()) {
            return Optional.of(Cause.OUT_OF_MEMORY);
        }
        boolean asked = attempt.stopAsked().isPresent()
                && !seen.endedAt().isBefore(attempt.stopAsked().get());
        if (asked) {
            boolean beforeOurKill =
                    seen.endedAt().isBefore(attempt.stopAsked().get().plus(grace));
            return seen.code() == SIGKILL && beforeOurKill ? Optional.of(Cause.KILLED) : Optional.empty();
        }
        if (seen.code() == 126 || seen.code() == 127) {
            return Optional.of(Cause.LAUNCH_FAILED);
        }
        if (KILLED.contains(seen.code())) {
            return Optional.of(Cause.KILLED);
        }
        if (findings.diskFull()) {
            return Optional.of(Cause.DISK_FULL);
        }
        return Optional.of(findings.peerKilled() ? Cause.KILLED : Cause.USER_ERROR);
    }

    private static String sentence(Attempt attempt, Seen.Ended seen, LogFindings findings, Cause cause) {
        String code = "exit code " + seen.code();
        Optional<String> signal = Signals.ofExitCode(seen.code());
        String what;
        if (cause == Cause.OUT_OF_MEMORY) {
            what = " went over its memory limit and was ended (" + code + ")";
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
        Optional<String> says = seen.message().or(findings::lastLine).map(Exits::shorten);
        return attempt.name() + what + says.map(text -> ": " + text).orElse("");
    }

    static String shorten(String line) {
        String text = line.strip();
        return text.length() <= LONGEST_LINE ? text : text.substring(0, LONGEST_LINE) + "…";
    }
}
