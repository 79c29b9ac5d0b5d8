package dev.muster.spi;

import dev.muster.model.Checkpoint;
import dev.muster.model.JobId;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The checkpoints of jobs, read from their folders. A checkpoint is whole when its structure is complete and its size and times have
 * not changed for 2 seconds, or nobody writes any more. Any thread may call.
 */
public interface CheckpointCatalogue {
    /**
     * All checkpoints of the job, newest (highest step) first; those without a step come last.
     *
     * @param writersDead whether no process that could write is alive
     */
    List<Checkpoint> list(JobId job, boolean writersDead);

    /** The same of a job that may be running. */
    default List<Checkpoint> list(JobId job) {
        return list(job, false);
    }

    /** Takes a report that the entry is whole; it is believed when its structure is complete. */
    void reported(JobId job, String name);

    /**
     * Chooses what to resume from: the newest whole one whose digest is still what it was.
     *
     * @param writersDead whether no process that could write is alive
     */
    Choice choose(JobId job, boolean writersDead);

    /** The same for a folder or checkpoint that belongs to no live job; it is only read. */
    Choice choose(Path path);

    /**
     * Removes all but the newest {@code keep} whole ones; never the newest whole one, never what TensorFlow's checkpoint file names.
     *
     * @param writersDead whether no process that could write is alive, so that what was saved a moment ago counts too
     */
    void prune(JobId job, int keep, boolean writersDead);

    /** Lets go of what is remembered of a job whose files are removed. */
    void forget(JobId job);

    /**
     * A choice.
     *
     * @param checkpoint what to resume from; empty when there is no whole one
     * @param warnings   what was passed over and why, newest first
     */
    record Choice(Optional<Checkpoint> checkpoint, List<String> warnings) {
        public Choice {
            warnings = List.copyOf(warnings);
        }
    }
}
