package dev.muster.control.decide;

import dev.muster.model.Attempt;
import dev.muster.model.JobState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What happens to a job next: a pure function of its record, what is seen and the time. Level-triggered: it never asks how things came to
 * be as they are, so a service that was killed at any moment goes on by asking again.
 */
public final class Decider {
    private Decider() {}

    /** Decides. For equal arguments the answer is equal; any thread may ask. */
    public static Decision decide(Snapshot snapshot, Observations seen, Instant now) {
        Turn turn = new Turn(snapshot, seen, now);
        if (seen.contact().isPresent() && turn.state().holdsCapacity()) {
            // Nothing is known, so nothing is judged.
            turn.draft.noContactSince = turn.draft.noContactSince.or(() -> Optional.of(now));
            return turn.decision();
        }
        turn.draft.noContactSince = Optional.empty();
        if (turn.job().state().holdsCapacity()) {
            tellRemarks(turn);
        }
        switch (turn.state()) {
            case QUEUED -> QueuedStep.decide(turn);
            case ADMITTED -> AdmittedStep.decide(turn);
            case STARTING -> StartingStep.decide(turn);
            case RUNNING -> RunningStep.decide(turn);
            case RESTARTING -> RestartingStep.decide(turn);
            case STOPPING -> StoppingStep.decide(turn);
            case PUBLISHING -> PublishingStep.decide(turn);
            case SUSPENDED -> {}
            case SUCCEEDED, FAILED, CANCELLED -> FinalStep.decide(turn);
        }
        if (turn.job().state().holdsCapacity()) {
            keepCheckpoints(turn);
        }
        return turn.decision();
    }

    /**
     * What is wrong with reports is for the user who wrote the script, and what is wrong around a process for whoever can mend it: so each kind is an
     * event, once, and again when it comes back. So is what a launcher tells of the ranks below it.
     */
    private static void tellRemarks(Turn turn) {
        for (Attempt attempt : turn.processes()) {
            List<String> all = new ArrayList<>(turn.seen.signs().refusals().getOrDefault(turn.key(attempt), List.of()));
            turn.trouble(attempt).ifPresent(all::add);
            Set<String> told = turn.seen.done().refusals().getOrDefault(turn.key(attempt), Set.of());
            if (!told.equals(Set.copyOf(all))) {
                all.stream().filter(each -> !told.contains(each)).forEach(each -> turn.draft.tell(attempt, each));
                turn.act(new Effect.NoteRefusals(turn.key(attempt), Set.copyOf(all)));
            }
        }
    }

    private static void keepCheckpoints(Turn turn) {
        List<String> fresh = new ArrayList<>(turn.seen.signs().checkpoints());
        fresh.removeAll(turn.seen.done().checkpoints());
        if (!fresh.isEmpty() && turn.job().state() != JobState.PUBLISHING) {
            turn.act(new Effect.KeepCheckpoints(fresh, false));
        }
    }
}
