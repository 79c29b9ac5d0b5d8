package dev.muster.control.decide;

import dev.muster.model.ProcessKey;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * Something to be done outside the record. Every effect is idempotent and is carried out at least once; that it is done shows in the
 * next {@link Observations}.
 */
public sealed interface Effect {
    /** An effect on one attempt of one process. */
    sealed interface OnProcess extends Effect {
        ProcessKey key();
    }

    /**
     * Makes ready what the attempt of the group needs: Python environments and the choice of the checkpoint (slow, beside the loop),
     * then removes an old stop file and takes addresses, ports and GPUs.
     *
     * @param writersDead whether no process of the job that could write checkpoints is alive
     */
    record Prepare(boolean writersDead) implements Effect {}

    /** Starts the attempt unless it was ever started. */
    record StartProcess(ProcessKey key) implements OnProcess {}

    /** Follows what the attempt says. */
    record Follow(ProcessKey key, boolean chief) implements OnProcess {}

    /** SIGTERM. */
    record AskStop(ProcessKey key) implements OnProcess {}

    /** SIGKILL to everything of the attempt. */
    record Kill(ProcessKey key) implements OnProcess {}

    /**
     * Looks why the attempt does not go on (slow, beside the loop).
     *
     * @param standstill since when
     */
    record GatherEvidence(ProcessKey key, Instant standstill) implements OnProcess {}

    /** Ends what the ended attempt left behind. */
    record Sweep(ProcessKey key) implements OnProcess {}

    /**
     * Reads what the ended attempt said to its end.
     *
     * @param examine whether its log is searched too, as it failed
     */
    record FinishLogs(ProcessKey key, boolean examine) implements OnProcess {}

    /** Remembers that it is among the events what was wrong with reports of the attempt, and what is wrong around it. */
    record NoteRefusals(ProcessKey key, Set<String> told) implements OnProcess {
        public NoteRefusals {
            told = Set.copyOf(told);
        }
    }

    /** Tells the ranks to save and leave after a step; 0 is as soon as they can. A file that is there already stays. */
    record WriteStopFile(long step) implements Effect {}

    /** Registers the chief's model folder (slow, beside the loop). */
    record Publish(ProcessKey chief) implements Effect {}

    /** Interrupts a registration that is under way; it may still come through. */
    record AbandonPublish() implements Effect {}

    /**
     * Takes the reported names as whole and removes checkpoints beyond {@code checkpoints.keep}.
     *
     * @param last whether nobody writes any more
     */
    record KeepCheckpoints(List<String> reported, boolean last) implements Effect {
        public KeepCheckpoints {
            reported = List.copyOf(reported);
        }
    }

    /** Gives back what a member of a group that goes on without it held. */
    record Withdraw(ProcessKey key) implements OnProcess {}

    /** Gives back addresses, ports and GPUs. */
    record Release() implements Effect {}

    /** Removes what the backend keeps of an ended job. */
    record RemoveObjects() implements Effect {}
}
