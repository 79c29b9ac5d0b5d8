package dev.muster.control.decide;

import dev.muster.model.Attempt;
import dev.muster.model.Cause;
import dev.muster.model.Join;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessState;
import dev.muster.spi.Sighting.Seen;
import dev.muster.spi.Telemetry.LogFindings;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Takes into the record what is seen of each process. An end is taken only when the log is read to its end, so that no reason is lost. */
final class Absorption {
    private Absorption() {}

    static void absorb(Turn turn) {
        for (int index = 0; index < turn.processes().size(); index++) {
            Attempt attempt = turn.processes().get(index);
            if (attempt.state().isOver()) {
                finish(turn, attempt, !Attempts.endedWell(attempt));
            } else {
                Optional<Seen> seen = turn.sighting(attempt);
                if (seen.isPresent()) {
                    take(turn, index, attempt, seen.get());
                } else {
                    missing(turn, index, attempt);
                }
            }
        }
        Strays.kill(turn);
    }

    private static void take(Turn turn, int index, Attempt attempt, Seen seen) {
        if (attempt.state() == ProcessState.WAITING) {
            return; // a start that was never ordered, or was taken back: see Strays
        }
        ProcessKey key = turn.key(attempt);
        switch (seen) {
            case Seen.Starting ignored -> follow(turn, attempt);
            case Seen.Running running -> {
                boolean joined = attempt.joined()
                        || running.joined()
                        || turn.seen.signs().reported().contains(key)
                        || startedIsJoined(turn, attempt);
                follow(turn, attempt);
                turn.draft.started(running.startedAt());
                turn.draft.process(index, Attempts.running(attempt, running, joined));
            }
            case Seen.Ended ended -> {
                ended.startedAt().ifPresent(turn.draft::started);
                if (finish(turn, attempt, ended.code() != 0)) {
                    LogFindings findings = turn.seen.done().findings().get(key);
                    Attempt.Exit exit = Exits.of(
                            attempt,
                            asked(turn, attempt),
                            ended,
                            findings,
                            turn.spec().limits().grace(),
                            turn.snapshot.conduct().sharedMemory());
                    boolean joined = attempt.joined()
                            || ended.startedAt().isPresent() && startedIsJoined(turn, attempt)
                            || turn.seen.signs().reported().contains(key);
                    turn.draft.process(
                            index,
                            Attempts.ended(attempt, ProcessState.EXITED, exit, ended.pid(), ended.startedAt(), joined));
                }
            }
            case Seen.Vanished vanished -> {
                if (finish(turn, attempt, true)) {
                    lost(turn, index, attempt, vanished.startedAt(), vanished.cause(), vanished.message());
                }
            }
        }
    }

    private static void missing(Turn turn, int index, Attempt attempt) {
        if (attempt.startedAt().isPresent()) {
            if (finish(turn, attempt, true)) {
                lost(turn, index, attempt, Optional.empty(), Cause.LOST, "its backend does not know it any more");
            }
            return;
        }
        Done.RefusedStart refused = turn.seen.done().refusedStarts().get(turn.key(attempt));
        if (refused != null && attempt.state() == ProcessState.STARTING && finish(turn, attempt, true)) {
            Attempt.Exit exit = new Attempt.Exit(
                    OptionalInt.empty(), Optional.of(refused.cause()), Optional.of(refused.reason()), turn.now);
            turn.draft.process(
                    index,
                    Attempts.ended(
                            attempt,
                            ProcessState.EXITED,
                            exit,
                            OptionalLong.empty(),
                            Optional.empty(),
                            attempt.joined()));
        }
    }

    private static void lost(
            Turn turn, int index, Attempt attempt, Optional<Instant> startedAt, Cause cause, String message) {
        boolean killedByUs = attempt.stopAsked()
                .map(asked -> !turn.now.isBefore(asked.plus(turn.spec().limits().grace())))
                .orElse(false);
        Attempt.Exit exit = killedByUs
                ? new Attempt.Exit(OptionalInt.empty(), Optional.empty(), Optional.empty(), turn.now)
                : Exits.vanished(attempt, cause, message, turn.now);
        turn.draft.process(
                index,
                Attempts.ended(attempt, ProcessState.LOST, exit, OptionalLong.empty(), startedAt, attempt.joined()));
    }

    /** Sees to it that nothing is left of an ended attempt and that its log is read; true once the log is. */
    private static boolean finish(Turn turn, Attempt attempt, boolean examine) {
        ProcessKey key = turn.key(attempt);
        if (!turn.seen.done().swept().contains(key)) {
            turn.act(new Effect.Sweep(key));
        }
        boolean unread =
                !attempt.state().isOver() && !turn.seen.done().followed().contains(key);
        if (unread) {
            follow(turn, attempt); // what it said while no service looked is still to be read
            return false;
        }
        if (!turn.seen.done().findings().containsKey(key)) {
            turn.act(new Effect.FinishLogs(key, examine));
            return false;
        }
        return true;
    }

    /** What it says is followed from before its first word on: it may be over before anybody looks. */
    static void follow(Turn turn, Attempt attempt) {
        if (!turn.seen.done().followed().contains(turn.key(attempt))) {
            turn.act(new Effect.Follow(turn.key(attempt), speaksForTheJob(turn, attempt)));
        }
    }

    private static boolean startedIsJoined(Turn turn, Attempt attempt) {
        return turn.plan(attempt).join() instanceof Join.Started;
    }

    /** The chief's progress is the job's. Under MPI what the chief prints comes out of the launcher. */
    private static boolean speaksForTheJob(Turn turn, Attempt attempt) {
        return attempt.name().equals(Success.chief(turn).name())
                || turn.plan(attempt).essential();
    }

    /** When Muster asked the process to end: by a signal, or by the stop file that a job which stops finds first. */
    private static Optional<Instant> asked(Turn turn, Attempt attempt) {
        return attempt.stopAsked().or(() -> turn.draft.stopAskedAt);
    }
}
