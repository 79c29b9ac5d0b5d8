package dev.muster.control.decide;

import dev.muster.model.Amount;
import dev.muster.model.Attempt;
import dev.muster.model.Cause;
import dev.muster.model.Elastic;
import dev.muster.model.Group;
import dev.muster.model.JobSpec;
import dev.muster.model.JobState;
import dev.muster.model.ProcessName;
import dev.muster.model.ProcessPlan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

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
     * Its gang fits: it takes its place. All its processes have one attempt number, also one that is new or was restarted more often than the others;
     * those that are held ready go on with their own.
     *
     * @param highest the highest attempt each process ever had, for a group whose members changed while it was suspended
     */
    public static Decision admit(Snapshot snapshot, Map<ProcessName, Integer> highest, Instant now) {
        Turn turn = new Turn(snapshot, Observations.NOTHING, now);
        Draft draft = turn.draft;
        draft.attempt++;
        int ofGroup = highest.entrySet().stream()
                .filter(process -> !draft.spec.isStandby(process.getKey().role()))
                .mapToInt(Map.Entry::getValue)
                .max()
                .orElse(0);
        List<Attempt> next = new ArrayList<>();
        for (ProcessPlan plan : snapshot.plan().of(Group.of(draft.spec)).processes()) {
            ProcessName name = plan.name();
            int before = draft.spec.isStandby(name.role()) ? highest.getOrDefault(name, 0) : ofGroup;
            next.add(Attempt.waiting(name, before + 1, draft.attempt));
        }
        draft.members(next);
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

    /**
     * Changes how many workers an elastic job is to have. Those beyond the number leave at once; those that are lacking come when there is
     * room for them.
     */
    public static Ruling scale(Snapshot snapshot, String role, int count, Instant now) {
        Turn turn = new Turn(snapshot, Observations.NOTHING, now);
        if (turn.state().isFinal()) {
            return new Ruling.Refuse("it has ended: " + turn.state().text());
        }
        Optional<Elastic> elastic = turn.spec().elastic();
        if (elastic.isEmpty()) {
            return new Ruling.Refuse("its size is fixed: the job is not elastic");
        }
        if (!role.equals(JobSpec.WORKER)) {
            return new Ruling.Refuse("only the number of its workers may change, not that of role " + role);
        }
        if (count < elastic.get().min() || count > elastic.get().max()) {
            return new Ruling.Refuse("elastic allows " + elastic.get().min() + " to "
                    + Amount.workers(elastic.get().max()) + ", not " + count);
        }
        if (turn.state() == JobState.STOPPING || turn.state() == JobState.PUBLISHING) {
            return new Ruling.Refuse(
                    "its group is not changed any more: it is " + turn.state().text());
        }
        int before = turn.spec().role(role).count();
        if (count == before) {
            return new Ruling.Nothing();
        }
        turn.draft.spec = turn.spec().withWorkers(count);
        turn.draft.cause = Optional.empty();
        turn.draft.reason = Optional.of("is to have " + Amount.workers(count) + " instead of " + before
                + (count > before && turn.state().holdsCapacity() ? ", once there is room" : ""));
        turn.draft.note();
        return new Ruling.Change(turn.decision());
    }

    /**
     * There is room for the workers that a running group lacks: they take their places; the others go on.
     *
     * @param highest the highest attempt each process ever had
     */
    public static Decision grow(Snapshot snapshot, Map<ProcessName, Integer> highest, Instant now) {
        Turn turn = new Turn(snapshot, Observations.NOTHING, now);
        Draft draft = turn.draft;
        List<Integer> lacking = Elasticity.lacking(draft.spec, draft.processes);
        Map<ProcessName, Attempt> there = new HashMap<>();
        draft.processes.forEach(attempt -> there.put(attempt.name(), attempt));
        for (int index : lacking) {
            ProcessName name = new ProcessName(JobSpec.WORKER, index);
            there.put(name, Attempt.waiting(name, highest.getOrDefault(name, 0) + 1, draft.attempt));
        }
        draft.members(snapshot.plan().processes().stream()
                .map(plan -> there.get(plan.name()))
                .filter(Objects::nonNull)
                .collect(Collectors.toCollection(ArrayList::new)));
        draft.admittedAt = Optional.of(now);
        draft.cause = Optional.empty();
        draft.reason = Optional.of("grows by " + Amount.workers(lacking.size()));
        draft.to(JobState.ADMITTED);
        return turn.decision();
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
