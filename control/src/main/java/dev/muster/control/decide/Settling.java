package dev.muster.control.decide;

import dev.muster.model.Attempt;
import dev.muster.model.Attempt.Exit;
import dev.muster.model.Cause;
import dev.muster.model.JobState;
import dev.muster.model.RestartScope;
import dev.muster.spi.Telemetry.LogFindings;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Settle before judging. Where a failure restarts or ends the group, the group is stopped and exits are collected until all are over, at
 * most for the window; then the failure that outranks the others, and among equals the earliest by its own time stamp, is the cause. One
 * that says that it lost a peer comes after all others, and who failed first so leaves its peers a moment to tell. A launcher that says that
 * a rank of its was killed comes after the worker whose memory limit explains it. When nobody failed but for want of a peer, none of which
 * failed, it was what connects them: the group is tried again as one that does not go on.
 *
 * <p>Where single processes restart (parameter servers), nobody is stopped. A failure that outranks, or that a rule restarts, is
 * acted on at once; another one waits up to the window for a peer's that does, and is then its victim. A process that fails inside the
 * window after such a restart, having run before it, is a victim too: restarted, not counted.
 */
final class Settling {
    /** How long a process whose peers say that they lost it has to end by itself: what Python takes to write its traceback and leave. */
    private static final Duration CULPRIT = Duration.ofSeconds(2);

    private Settling() {}

    /** Deals with failures on record in Admitted, Starting or Running. True when there are any, and nothing else is to be judged. */
    static boolean judge(Turn turn) {
        List<Attempt> failures = turn.failures();
        if (failures.isEmpty()) {
            return false;
        }
        if (!known(turn, failures) || turn.anyEndPending()) {
            return true; // logs are being read: another end is about to be on record, or a new service reads them again
        }
        Attempt primary = primary(turn, failures);
        Verdict verdict = Verdict.of(turn, primary);
        if (!waiting(turn) && failures.stream().allMatch(failed -> victim(turn, failed))) {
            Ends.restartWithPeer(turn);
        } else if (stopsGroup(turn, failures, verdict)) {
            judgeGroup(turn, primary, Judgement.of(turn, failures, primary, verdict));
        } else {
            judgeProcess(turn, primary, verdict);
        }
        return true;
    }

    /** The failure that is the cause, of those that came within the window of the first one. */
    static Attempt primary(Turn turn, List<Attempt> failures) {
        Instant first = failures.stream()
                .map(failed -> exit(failed).at())
                .min(Instant::compareTo)
                .orElseThrow();
        List<Attempt> together = failures.stream()
                .filter(failed -> !exit(failed).at().isAfter(first.plus(window(turn))))
                .toList();
        boolean outOfMemory = together.stream().anyMatch(failed -> cause(failed) == Cause.OUT_OF_MEMORY);
        return together.stream()
                .min(Comparator.comparing((Attempt failed) -> !Verdict.outranks(cause(failed)))
                        .thenComparing(failed -> outOfMemory && tellsOfAKilledOne(turn, failed))
                        .thenComparing(failed -> hasLostPeer(turn, failed))
                        .thenComparing(failed -> exit(failed).at()))
                .orElseThrow();
    }

    static boolean known(Turn turn, List<Attempt> failures) {
        return failures.stream().allMatch(failed -> turn.seen.done().findings().containsKey(turn.key(failed)));
    }

    private static boolean stopsGroup(Turn turn, List<Attempt> failures, Verdict verdict) {
        if (verdict.restart()
                && failures.stream().anyMatch(failed -> turn.plan(failed).essential())) {
            return true; // whatever else failed with it
        }
        if (Elasticity.isStoppedTogether(turn)) {
            return true; // those who were stopped for an earlier failure would not be started by a restart of one
        }
        boolean asked = turn.job().processes().stream()
                .anyMatch(attempt -> attempt.stopAsked().isPresent());
        boolean single = verdict.restart() && verdict.scope() != RestartScope.GROUP;
        boolean ofGroup = turn.snapshot.conduct().restartScope() == RestartScope.GROUP
                || verdict.restart() && verdict.scope() == RestartScope.GROUP;
        return ofGroup && (asked || !single);
    }

    private static void judgeGroup(Turn turn, Attempt primary, Judgement judgement) {
        if (!waiting(turn)) {
            turn.draft.settleUntil = Optional.of(turn.now.plus(window(turn)));
            turn.draft.because(judgement.cause(), judgement.reason());
        }
        if (awaitsCulprit(turn, primary)) {
            return;
        }
        Stops.all(turn);
        if (turn.groupAlive() && !turn.reached(turn.draft.settleUntil.get())) {
            return;
        }
        if (judgement.restart()) {
            Ends.restart(turn, judgement.cause(), judgement.reason(), Verdict.ofGroup(judgement.counted()));
        } else {
            Ends.fail(turn, judgement.cause(), judgement.reason());
        }
    }

    static boolean tellsOfAKilledOne(Turn turn, Attempt failed) {
        return cause(failed) == Cause.KILLED && findings(turn, failed).peerKilled();
    }

    static LogFindings findings(Turn turn, Attempt failed) {
        return turn.seen.done().findings().getOrDefault(turn.key(failed), LogFindings.NONE);
    }

    /**
     * Whether even the likeliest cause, so all that failed so far, says that it lost a peer: the one they lost is about to end by itself, and asked to stop it would not
     * tell why.
     */
    private static boolean awaitsCulprit(Turn turn, Attempt primary) {
        boolean culpritMayCome = turn.processes().stream()
                .anyMatch(peer -> turn.alive(peer) && peer.stopAsked().isEmpty() && StartingStep.mustJoin(turn, peer));
        return culpritMayCome
                && hasLostPeer(turn, primary)
                && !turn.reached(exit(primary).at(), CULPRIT);
    }

    static boolean hasLostPeer(Turn turn, Attempt failed) {
        return cause(failed) == Cause.USER_ERROR && findings(turn, failed).peerLost();
    }

    private static void judgeProcess(Turn turn, Attempt primary, Verdict verdict) {
        if (verdict.restart()) {
            Ends.restart(turn, cause(primary), reason(primary), verdict);
            return;
        }
        if (!waiting(turn)) {
            turn.draft.settleUntil = Optional.of(turn.now.plus(window(turn)));
        }
        boolean peersLeft = turn.processes().stream().anyMatch(peer -> turn.alive(peer) && !turn.sidecar(peer));
        if (Verdict.outranks(cause(primary)) || !peersLeft || turn.reached(turn.draft.settleUntil.get())) {
            Ends.fail(turn, cause(primary), reason(primary));
        }
    }

    /** Whether exits are being collected; else an open window is that of a restart that was decided. */
    private static boolean waiting(Turn turn) {
        return turn.draft.settleUntil.isPresent() && turn.hadFailures();
    }

    /** Whether it failed inside the window of a restart that it had no part in, having run before it. */
    private static boolean victim(Turn turn, Attempt failed) {
        return cause(failed) == Cause.USER_ERROR
                && !Verdict.of(turn, failed).ruled()
                && turn.draft.settleUntil.isPresent()
                && turn.state() != JobState.RESTARTING
                && !exit(failed).at().isAfter(turn.draft.settleUntil.get())
                && failed.startedAt()
                        .map(started ->
                                started.isBefore(turn.draft.settleUntil.get().minus(window(turn))))
                        .orElse(false);
    }

    /** How long exits are collected. */
    static Duration window(Turn turn) {
        return turn.snapshot.conduct().settle();
    }

    static Cause cause(Attempt failed) {
        return exit(failed).cause().orElseThrow();
    }

    static String reason(Attempt failed) {
        return exit(failed).reason().orElseThrow();
    }

    private static Exit exit(Attempt failed) {
        return failed.exit().orElseThrow();
    }
}
