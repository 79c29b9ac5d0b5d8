package dev.muster.control.decide;

import dev.muster.model.Attempt;
import dev.muster.model.Cause;
import java.util.List;

/**
 * What is said of a group that failed, and whether it is tried again.
 *
 * @param cause   the likeliest failure's, or Stalled where nobody failed but for want of a peer
 * @param reason  the sentence for the user
 * @param restart whether it is tried again
 * @param counted whether that counts against restart.max
 */
record Judgement(Cause cause, String reason, boolean restart, boolean counted) {
    static Judgement of(Turn turn, List<Attempt> failures, Attempt primary, Verdict verdict) {
        if (!verdict.ruled() && lostEachOther(turn, failures)) {
            String said = Settling.reason(primary)
                    .substring(Settling.cause(primary).text().length() + 2);
            return new Judgement(
                    Cause.STALLED,
                    Cause.STALLED.because("connections broke, and no process failed but for that (network?): " + said),
                    true,
                    Verdict.counted(Cause.STALLED));
        }
        return new Judgement(
                Settling.cause(primary), reason(turn, failures, primary), verdict.restart(), verdict.counted());
    }

    /** Whether all who failed say that they lost a peer, and no peer has left by itself. */
    private static boolean lostEachOther(Turn turn, List<Attempt> failures) {
        List<Attempt> group = turn.processes().stream()
                .filter(attempt -> StartingStep.mustJoin(turn, attempt))
                .toList();
        return group.size() > 1
                && failures.stream().allMatch(failed -> Settling.hasLostPeer(turn, failed))
                && group.stream().noneMatch(Attempts::endedWell);
    }

    /** Which rank went over its memory limit stands in what its launcher says. */
    private static String reason(Turn turn, List<Attempt> failures, Attempt primary) {
        String own = Settling.reason(primary);
        if (Settling.cause(primary) != Cause.OUT_OF_MEMORY) {
            return own;
        }
        return own
                + failures.stream()
                        .filter(failed -> Settling.tellsOfAKilledOne(turn, failed))
                        .findFirst()
                        .flatMap(launcher -> Settling.findings(turn, launcher)
                                .lastLine()
                                .map(line -> "; " + launcher.name() + ": " + Exits.shorten(line)))
                        .orElse("");
    }
}
