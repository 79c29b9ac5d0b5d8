package dev.muster.control.decide;

import dev.muster.model.Attempt;
import dev.muster.model.Cause;
import dev.muster.model.RestartPolicy.Action;
import dev.muster.model.RestartPolicy.Rule;
import dev.muster.model.RestartScope;
import dev.muster.spi.Telemetry.LogFindings;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What follows from one failure, the budget apart. {@code restart.rules} come first and the first that matches wins; else Killed,
 * Lost, NodeLost, Preempted, PortLost and Stalled are tried again and everything else is not. Lost counts as Killed: nobody judged
 * the process, so nothing says that it would fail again.
 *
 * @param restart whether it is tried again
 * @param counted whether that counts against restart.max
 * @param scope   what is started anew; never DEFAULT
 * @param ruled   whether a rule of the user's says so
 */
record Verdict(boolean restart, boolean counted, RestartScope scope, boolean ruled) {
    private static final Set<Cause> OUTRANKING =
            EnumSet.of(Cause.KILLED, Cause.OUT_OF_MEMORY, Cause.NODE_LOST, Cause.LOST, Cause.PREEMPTED);
    private static final Set<Cause> NOT_COUNTED = EnumSet.of(Cause.PORT_LOST, Cause.PREEMPTED, Cause.NODE_LOST);
    private static final Set<Cause> RETRIED =
            EnumSet.of(Cause.KILLED, Cause.LOST, Cause.NODE_LOST, Cause.PREEMPTED, Cause.PORT_LOST, Cause.STALLED);

    static Verdict of(Turn turn, Attempt failed) {
        Cause cause = failed.exit().flatMap(Attempt.Exit::cause).orElseThrow();
        Optional<Done.RefusedStart> refused =
                Optional.ofNullable(turn.seen.done().refusedStarts().get(turn.key(failed)));
        if (refused.isPresent()) {
            return new Verdict(refused.get().retry(), counted(cause), scope(turn, failed, RestartScope.DEFAULT), false);
        }
        LogFindings findings = turn.seen.done().findings().getOrDefault(turn.key(failed), LogFindings.NONE);
        List<Rule> rules = turn.spec().restart().rules();
        for (int index = 0; index < rules.size(); index++) {
            Rule rule = rules.get(index);
            if (matches(rule, index, failed, findings)) {
                return new Verdict(
                        rule.action() == Action.RESTART, rule.counted(), scope(turn, failed, rule.scope()), true);
            }
        }
        return new Verdict(RETRIED.contains(cause), counted(cause), scope(turn, failed, RestartScope.DEFAULT), false);
    }

    /** A restart of the whole group. */
    static Verdict ofGroup(boolean counted) {
        return new Verdict(true, counted, RestartScope.GROUP, false);
    }

    /** Whether a failure of this kind is nobody's fault in the group, so that it outranks what it makes others do. */
    static boolean outranks(Cause cause) {
        return OUTRANKING.contains(cause);
    }

    static boolean counted(Cause cause) {
        return !NOT_COUNTED.contains(cause);
    }

    /** Without its companion nobody can go on. */
    private static RestartScope scope(Turn turn, Attempt failed, RestartScope asked) {
        if (asked != RestartScope.DEFAULT) {
            return asked;
        }
        return turn.plan(failed).essential()
                ? RestartScope.GROUP
                : turn.snapshot.conduct().restartScope();
    }

    private static boolean matches(Rule rule, int index, Attempt failed, LogFindings findings) {
        Attempt.Exit exit = failed.exit().orElseThrow();
        boolean code = rule.exitCodes().isEmpty()
                || exit.code().isPresent()
                        && rule.exitCodes().contains(exit.code().getAsInt());
        boolean signal = rule.signals().isEmpty()
                || exit.signal().map(rule.signals()::contains).orElse(false);
        boolean log = rule.log().isEmpty() || findings.rules().contains(index);
        return code && signal && log;
    }
}
