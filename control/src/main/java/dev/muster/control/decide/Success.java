package dev.muster.control.decide;

import dev.muster.model.Attempt;
import dev.muster.model.ProcessState;
import dev.muster.model.SuccessPolicy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Whose exit 0 makes the job succeed, and whether they all have ended so. An exit 0 after Muster asked a process to stop is none. */
final class Success {
    private Success() {}

    static boolean reached(Turn turn) {
        if (turn.snapshot.conduct().success() instanceof SuccessPolicy.AnyProcess) {
            return turn.processes().stream().anyMatch(attempt -> decides(turn, attempt) && Attempts.endedWell(attempt));
        }
        List<Attempt> deciders = turn.processes().stream()
                .filter(attempt ->
                        decides(turn, attempt) && (!Elasticity.absent(turn, attempt) || bringsTheModel(turn, attempt)))
                .toList();
        return !deciders.isEmpty() && deciders.stream().allMatch(Attempts::endedWell);
    }

    /** Whether it is the chief and about to be started anew. An elastic group may end without any other worker that was lost. */
    private static boolean bringsTheModel(Turn turn, Attempt attempt) {
        return turn.plan(attempt).chief()
                && attempt.state() == ProcessState.WAITING
                && !Elasticity.leaves(turn, attempt);
    }

    /**
     * Whether it is reached and holds: no process failed for good well before those who decide had ended, by the time stamps of their ends.
     * Nobody may have looked when it did.
     */
    static boolean holds(Turn turn) {
        if (!reached(turn)) {
            return false;
        }
        Optional<Instant> decided = turn.processes().stream()
                .filter(attempt -> decides(turn, attempt) && Attempts.endedWell(attempt))
                .map(attempt -> attempt.exit().orElseThrow().at())
                .max(Instant::compareTo);
        boolean first = turn.snapshot.conduct().success() instanceof SuccessPolicy.AnyProcess;
        return first
                || decided.isEmpty()
                || turn.failures().stream().noneMatch(failed -> failedForGood(turn, failed, decided.get()));
    }

    private static boolean failedForGood(Turn turn, Attempt failed, Instant decided) {
        Instant settled = failed.exit().orElseThrow().at().plus(Settling.window(turn));
        return settled.isBefore(decided)
                && !(turn.seen.done().findings().containsKey(turn.key(failed))
                        && Verdict.of(turn, failed).restart());
    }

    private static boolean decides(Turn turn, Attempt attempt) {
        return switch (turn.snapshot.conduct().success()) {
            case SuccessPolicy.Chief ignored -> turn.plan(attempt).chief();
            case SuccessPolicy.OfRole of -> attempt.name().role().equals(of.role());
            case SuccessPolicy.All ignored -> !turn.sidecar(attempt) && !turn.parameterServer(attempt);
            case SuccessPolicy.AnyProcess ignored -> !turn.sidecar(attempt);
            case SuccessPolicy.Default ignored ->
                throw new IllegalStateException("a conduct has its success policy resolved");
        };
    }

    /**
     * Whether a failure of one of these decides nothing yet, because one exit 0 is enough and one of the others may still bring it. A
     * parameter server does not end by itself, so nobody waits for its exit; and as the others need it, its failure is judged at once.
     */
    static boolean open(Turn turn, List<Attempt> attempts) {
        return turn.snapshot.conduct().success() instanceof SuccessPolicy.AnyProcess
                && attempts.stream()
                        .anyMatch(attempt -> !attempt.state().isOver()
                                && attempt.stopAsked().isEmpty()
                                && !turn.sidecar(attempt)
                                && !turn.parameterServer(attempt));
    }

    /**
     * The process whose model folder is published: the chief, which is rank 0 where there is no role of that name; where an elastic group goes
     * on without it, the first that is there.
     */
    static Attempt chief(Turn turn) {
        return turn.processes().stream()
                .filter(attempt -> turn.plan(attempt).chief() && !Elasticity.absent(turn, attempt))
                .findFirst()
                .or(() -> turn.processes().stream()
                        .filter(attempt -> turn.plan(attempt).rank().isPresent() && !Elasticity.absent(turn, attempt))
                        .findFirst())
                .orElse(turn.processes().getFirst());
    }
}
