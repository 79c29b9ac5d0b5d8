package dev.muster.control.decide;

import dev.muster.model.Attempt;
import dev.muster.model.SuccessPolicy;
import java.util.List;
import java.util.function.Predicate;

/** Whose exit 0 makes the job succeed, and whether they all have ended so. An exit 0 after Muster asked a process to stop is none. */
final class Success {
    private Success() {}

    static boolean reached(Turn turn) {
        return switch (turn.snapshot.conduct().success()) {
            case SuccessPolicy.AnyProcess ignored ->
                turn.processes().stream().anyMatch(attempt -> !turn.sidecar(attempt) && Attempts.endedWell(attempt));
            case SuccessPolicy.Chief ignored ->
                all(turn, attempt -> turn.plan(attempt).chief());
            case SuccessPolicy.All ignored ->
                all(turn, attempt -> !turn.sidecar(attempt) && !turn.parameterServer(attempt));
            case SuccessPolicy.OfRole of ->
                all(turn, attempt -> attempt.name().role().equals(of.role()));
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

    private static boolean all(Turn turn, Predicate<Attempt> decides) {
        List<Attempt> deciders = turn.processes().stream()
                .filter(attempt -> decides.test(attempt) && !Elasticity.absent(turn, attempt))
                .toList();
        return !deciders.isEmpty() && deciders.stream().allMatch(Attempts::endedWell);
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
