package dev.muster.testkit;

import dev.muster.spi.Sighting;
import java.time.Duration;
import java.util.Optional;

/**
 * How one attempt of a process behaves in {@link FakeBackend}, in virtual time from its start.
 *
 * @param toRunning  until its program runs
 * @param toJoined   until it joins, after it runs; empty for never
 * @param toExit     until it ends by itself, after it runs; empty for never
 * @param code       the exit code it then has
 * @param outOfMemory whether it is then ended by its memory limit; of one that never ends by itself a child was
 * @param afterTerm  how long it takes to end after SIGTERM; empty when it ignores it
 * @param termCode   the exit code it then has
 * @param afterStopFile how long it takes to end with 0 after the stop file is there; empty when it does not look
 * @param hold      what keeps it from running until it does
 */
public record FakeProcess(
        Duration toRunning,
        Optional<Duration> toJoined,
        Optional<Duration> toExit,
        int code,
        boolean outOfMemory,
        Optional<Duration> afterTerm,
        int termCode,
        Optional<Duration> afterStopFile,
        Optional<Sighting.Hold> hold) {
    /** Joins after 20 ms, runs until it is stopped, and ends 10 ms after SIGTERM. */
    public static FakeProcess runs() {
        return new FakeProcess(
                Duration.ofMillis(10),
                Optional.of(Duration.ofMillis(20)),
                Optional.empty(),
                0,
                false,
                Optional.of(Duration.ofMillis(10)),
                143,
                Optional.empty(),
                Optional.empty());
    }

    /** Like {@link #runs}, but ends by itself. */
    public static FakeProcess exits(int code, Duration after) {
        return runs().exiting(code, after);
    }

    public FakeProcess exiting(int exitCode, Duration after) {
        return new FakeProcess(
                toRunning,
                toJoined,
                Optional.of(after),
                exitCode,
                outOfMemory,
                afterTerm,
                termCode,
                afterStopFile,
                hold);
    }

    public FakeProcess overItsMemory() {
        return new FakeProcess(toRunning, toJoined, toExit, code, true, afterTerm, termCode, afterStopFile, hold);
    }

    public FakeProcess joining(Duration after) {
        return new FakeProcess(
                toRunning, Optional.of(after), toExit, code, outOfMemory, afterTerm, termCode, afterStopFile, hold);
    }

    public FakeProcess neverJoining() {
        return new FakeProcess(
                toRunning, Optional.empty(), toExit, code, outOfMemory, afterTerm, termCode, afterStopFile, hold);
    }

    public FakeProcess ignoringTerm() {
        return new FakeProcess(
                toRunning, toJoined, toExit, code, outOfMemory, Optional.empty(), termCode, afterStopFile, hold);
    }

    public FakeProcess onTerm(int exitCode, Duration after) {
        return new FakeProcess(
                toRunning, toJoined, toExit, code, outOfMemory, Optional.of(after), exitCode, afterStopFile, hold);
    }

    public FakeProcess leavingOnStopFile(Duration after) {
        return new FakeProcess(
                toRunning, toJoined, toExit, code, outOfMemory, afterTerm, termCode, Optional.of(after), hold);
    }

    /** Its program runs as soon as it is started: one that ends at once is over before anybody looks. */
    public FakeProcess runningAtOnce() {
        return new FakeProcess(
                Duration.ZERO, toJoined, toExit, code, outOfMemory, afterTerm, termCode, afterStopFile, hold);
    }

    /** Does not run before then, and this is told to be the reason. */
    public FakeProcess held(Sighting.Hold what, Duration before) {
        return new FakeProcess(
                before, toJoined, toExit, code, outOfMemory, afterTerm, termCode, afterStopFile, Optional.of(what));
    }
}
