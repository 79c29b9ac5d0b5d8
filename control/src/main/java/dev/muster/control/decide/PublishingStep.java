package dev.muster.control.decide;

import dev.muster.model.JobState;
import java.time.Instant;
import java.util.Optional;

/**
 * Publishing: the chief's folder is being registered. A service that was killed in the middle asks again, and the registry gives the same
 * version. A disk without room is waited for, as the trained model must not be lost over it, and so is a backend that is not reached: the job tells
 * why it waits, once for each cause.
 */
final class PublishingStep {
    private PublishingStep() {}

    static void decide(Turn turn) {
        Effect publish = new Effect.Publish(turn.key(Success.chief(turn)));
        switch (turn.seen.publication()) {
            case Publication.None ignored -> turn.act(publish);
            case Publication.Working ignored -> {}
            case Publication.Done done -> {
                turn.draft.model = Optional.of(done.version());
                turn.draft.cause = Optional.empty();
                turn.draft.reason = Optional.empty();
                turn.draft.to(JobState.SUCCEEDED);
            }
            case Publication.Failed failed -> {
                boolean told = turn.draft.cause.equals(Optional.of(failed.cause()));
                turn.draft.because(failed.cause(), failed.reason());
                Optional<Instant> again = failed.retryAt();
                if (again.isPresent() && !told) {
                    turn.draft.note();
                }
                if (again.isEmpty()) {
                    turn.draft.to(JobState.FAILED);
                } else if (turn.reached(again.get())) {
                    turn.act(publish);
                }
            }
        }
    }
}
