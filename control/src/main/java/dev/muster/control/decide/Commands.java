package dev.muster.control.decide;

import dev.muster.model.Attempt;
import dev.muster.model.Cause;
import dev.muster.model.JobSpec;
import dev.muster.model.JobState;
import dev.muster.model.ProcessName;
import dev.muster.model.ProcessPlan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a request does to a record: pure, like {@link Decider}. */
public final class Commands {
    private Commands() {}

    /** What becomes of a request. */
    public sealed interface Ruling {
        /** This is stored. */
        record Change(Decision decision) implements Ruling {}

        /** It is so already. */
        record Nothing() implements Ruling {}

        /** It cannot be done in this state. */
        record Refuse(String reason) implements Ruling {}
    }

    /**
     * Its gang fits: it takes its place.
     *
     * @param highest the highest attempt each process ever had, for a group whose members changed while it was suspended
     */
    public static Decision admit(Snapshot snapshot, Map<ProcessName, Integer> highest, Instant now) {
        Turn turn = new Turn(snapshot, Observations.NOTHING, now);
        Draft draft = turn.draft;
        draft.attempt++;
        List<Attempt> next = new ArrayList<>();
        for (ProcessPlan plan : snapshot.plan().processes()) {
            int number = highest.getOrDefault(plan.name(), 0) + 1;
            next.add(Attempt.waiting(plan.name(), number, draft.attempt));
        }
        draft.processes = next;
        draft.admittedAt = Optional.of(now);
        draft.cause = Optional.empty();
        draft.reason = Optional.empty();
        draft.openStretch();
        draft.to(JobState.ADMITTED);
        return turn.decision();
    }

    /** Ends a job that waits in vain. */
    public static Decision giveUp(Snapshot snapshot, Cause cause, String sentence, Instant now) {
        Turn turn = new Turn(snapshot, Observations.NOTHING, now);
        turn.draft.because(cause, cause.because(sentence));
        turn.draft.to(JobState.FAILED);
        return turn.decision();
    }

    /** Cancels in any state. A final job, and one whose model is visible already, stay as they are. */
    public static Ruling cancel(Snapshot snapshot, Instant now, boolean published) {
        Turn turn = new Turn(snapshot, Observations.NOTHING, now);
        Draft draft = turn.draft;
        switch (turn.state()) {
            case QUEUED, SUSPENDED -> {
                cancelled(draft);
                draft.to(JobState.CANCELLED);
            }
            case ADMITTED, STARTING, RUNNING, RESTARTING -> {
                cancelled(draft);
                draft.stop(JobState.CANCELLED);
            }
            case PUBLISHING -> {
                if (published) {
                    return new Ruling.Nothing();
                }
                cancelled(draft);
                draft.stop(JobState.CANCELLED);
            }
            case STOPPING -> {
                JobState target = draft.target.orElseThrow();
                if (target == JobState.CANCELLED || target == JobState.FAILED) {
                    return new Ruling.Nothing();
                }
                cancelled(draft);
                draft.stop(JobState.CANCELLED);
            }
            case SUCCEEDED, FAILED, CANCELLED -> {
                return new Ruling.Nothing();
            }
        }
        return new Ruling.Change(turn.decision());
    }

    /** Pauses a job whose training is not over: it is asked to save, then holds nothing until it is resumed. */
    public static Ruling suspend(Snapshot snapshot, Instant now) {
        Turn turn = new Turn(snapshot, Observations.NOTHING, now);
        Draft draft = turn.draft;
        draft.cause = Optional.empty();
        draft.reason = Optional.of("suspended by its user");
        switch (turn.state()) {
            case QUEUED -> draft.to(JobState.SUSPENDED);
            case ADMITTED, STARTING, RUNNING, RESTARTING -> draft.stop(JobState.SUSPENDED);
            case SUSPENDED -> {
                return new Ruling.Nothing();
            }
            case STOPPING -> {
                JobState target = draft.target.orElseThrow();
                if (target == JobState.SUSPENDED) {
                    return new Ruling.Nothing();
                }
                if (target != JobState.QUEUED) {
                    return new Ruling.Refuse("it is being stopped and will be " + target.text());
                }
                draft.stop(JobState.SUSPENDED);
            }
            case PUBLISHING -> {
                return new Ruling.Refuse("its training is over and its model is being registered");
            }
            case SUCCEEDED, FAILED, CANCELLED -> {
                return new Ruling.Refuse("it has ended: " + turn.state().text());
            }
        }
        return new Ruling.Change(turn.decision());
    }

    /** Sends a suspended job back to the queue, with the changed specification if there is one. */
    public static Ruling resume(Snapshot snapshot, Optional<JobSpec> changed, Instant now) {
        Turn turn = new Turn(snapshot, Observations.NOTHING, now);
        if (turn.state() != JobState.SUSPENDED) {
            boolean goesOn = changed.isEmpty() && !turn.state().isFinal() && turn.state() != JobState.STOPPING;
            return goesOn
                    ? new Ruling.Nothing()
                    : new Ruling.Refuse("only a suspended job can be resumed; it is "
                            + turn.state().text());
        }
        turn.draft.spec = changed.orElse(turn.draft.spec);
        turn.draft.cause = Optional.empty();
        turn.draft.reason = Optional.of("resumed by its user");
        turn.draft.to(JobState.QUEUED);
        return new Ruling.Change(turn.decision());
    }

    /** Sends a job back to the queue to make room for another. Not counted, but bounded as every restart is that brings no progress. */
    public static Ruling preempt(Snapshot snapshot, String reason, Instant now) {
        Turn turn = new Turn(snapshot, Observations.NOTHING, now);
        Draft draft = turn.draft;
        switch (turn.state()) {
            case ADMITTED, STARTING, RUNNING, RESTARTING -> {
                if (draft.uncounted >= Ends.UNCOUNTED_LIMIT) {
                    Ends.fail(
                            turn,
                            Cause.PREEMPTED,
                            Cause.PREEMPTED.because(
                                    reason + " (" + Ends.UNCOUNTED_LIMIT + " restarts in a row without progress)"));
                } else {
                    draft.uncounted++;
                    draft.because(Cause.PREEMPTED, Cause.PREEMPTED.because(reason));
                    draft.stop(JobState.QUEUED);
                }
            }
            case QUEUED, SUSPENDED, STOPPING, PUBLISHING, SUCCEEDED, FAILED, CANCELLED -> {
                return new Ruling.Nothing();
            }
        }
        return new Ruling.Change(turn.decision());
    }

    private static void cancelled(Draft draft) {
        draft.cause = Optional.empty();
        draft.reason = Optional.of("cancelled by its user");
    }
}
