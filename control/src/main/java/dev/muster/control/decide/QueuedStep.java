package dev.muster.control.decide;

import dev.muster.model.Cause;
import dev.muster.model.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Queued: waits for its turn; only its own deadline can end it. */
final class QueuedStep {
    private QueuedStep() {}

    static void decide(Turn turn) {
        Optional<Duration> bound = turn.spec().limits().queueDeadline();
        Instant since = turn.job().times().queuedAt();
        if (bound.isPresent() && turn.reached(since, bound.get())) {
            turn.draft.because(
                    Cause.DEADLINE_EXCEEDED,
                    Cause.DEADLINE_EXCEEDED.because(
                            "waited longer in the queue than queueDeadline (" + Durations.text(bound.get()) + ")"));
            turn.draft.to(JobState.FAILED);
        }
    }
}
