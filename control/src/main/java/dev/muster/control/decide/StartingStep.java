package dev.muster.control.decide;

import dev.muster.model.Attempt;
import dev.muster.model.Cause;
import dev.muster.model.JobState;
import dev.muster.model.ProcessName;
import dev.muster.spi.Sighting;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Starting: every start is ordered until each is seen, and all that must have to join. */
final class StartingStep {
    private static final Set<Cause> HOLDING =
            EnumSet.of(Cause.IMAGE_MISSING, Cause.UNSCHEDULABLE, Cause.BACKEND_REFUSED);

    private StartingStep() {}

    static void decide(Turn turn) {
        Absorption.absorb(turn);
        Elasticity.letGo(turn);
        if (Success.holds(turn)) {
            Ends.succeed(turn);
        } else if (!Settling.judge(turn)) {
            if (turn.processes().stream().allMatch(attempt -> isThere(turn, attempt))) {
                turn.draft.cause = Optional.empty();
                turn.draft.reason = Optional.empty();
                turn.draft.to(JobState.RUNNING);
                Elasticity.tell(turn);
            } else if (!Deadlines.training(turn) && !Deadlines.start(turn)) {
                tellHold(turn);
                Standby.makeRoom(turn);
                if (!Strays.any(turn)) {
                    startProcesses(turn);
                }
            }
        }
    }

    /** Shows what keeps the first process that is held from running, for as long as something does. */
    private static void tellHold(Turn turn) {
        Optional<Sighting.Hold> hold = hold(turn);
        if (hold.isPresent()) {
            turn.draft.because(
                    hold.get().cause(), hold.get().cause().because(hold.get().message()));
        } else if (turn.draft.cause.map(HOLDING::contains).orElse(false)) {
            turn.draft.cause = Optional.empty();
            turn.draft.reason = Optional.empty();
        }
        if (hold.isEmpty()) {
            Elasticity.tell(turn);
        }
    }

    /** What keeps a process of the group from running, as its backend tells. Nobody waits for those that are held ready. */
    static Optional<Sighting.Hold> hold(Turn turn) {
        return turn.processes().stream()
                .filter(attempt -> !Standby.is(turn, attempt))
                .flatMap(attempt -> turn.sighting(attempt).stream())
                .flatMap(seen ->
                        seen instanceof Sighting.Seen.Starting starting ? starting.hold().stream() : Stream.empty())
                .findFirst();
    }

    /** Whether it has joined, or for one that need not, whether its start is claimed. Who failed and need not be judged is not waited for. */
    private static boolean isThere(Turn turn, Attempt attempt) {
        if (Elasticity.absent(turn, attempt) || Standby.is(turn, attempt)) {
            return true;
        }
        return mustJoin(turn, attempt)
                ? attempt.joined() || Attempts.failed(attempt)
                : attempt.state().isOver() || turn.sighting(attempt).isPresent();
    }

    /** A sidecar only helps: nobody waits until it has joined. */
    static boolean mustJoin(Turn turn, Attempt attempt) {
        return !turn.sidecar(attempt) || turn.plan(attempt).essential();
    }

    /** Whether everybody it has to come after has joined, where they can be started before it. */
    private static boolean mayStart(Turn turn, Attempt attempt) {
        if (!turn.snapshot.conduct().startsSingly()) {
            return true;
        }
        Set<ProcessName> before = turn.plan(attempt).after();
        return turn.processes().stream()
                .filter(other -> before.contains(other.name()))
                .allMatch(Attempt::joined);
    }

    private static void startProcesses(Turn turn) {
        for (Attempt attempt : turn.processes()) {
            if (turn.awaitsStart(attempt)
                    && mayStart(turn, attempt)
                    && !Standby.is(turn, attempt)
                    && !turn.seen.done().refusedStarts().containsKey(turn.key(attempt))) {
                if (!ready(turn)) {
                    return;
                }
                Absorption.follow(turn, attempt);
                turn.act(new Effect.StartProcess(turn.key(attempt)));
            }
        }
    }

    /** Whether everything a start needs is there; a new service has to prepare again first. */
    private static boolean ready(Turn turn) {
        if (!(turn.seen.preparation() instanceof Preparation.Ready ready)) {
            AdmittedStep.prepare(turn);
            return false;
        }
        boolean held = turn.spec().elastic().isPresent()
                ? turn.draft.placement.isPartOf(ready.placement())
                : turn.draft.placement.equals(ready.placement());
        if (!held) {
            Ends.restart(
                    turn,
                    Cause.PORT_LOST,
                    Cause.PORT_LOST.because("the addresses of the group could not be held while it was starting"),
                    Verdict.ofGroup(false));
            return false;
        }
        return true;
    }
}
