package dev.muster.artifacts.checkpoints;

import dev.muster.artifacts.checkpoints.CheckpointIndex.Recorded;
import dev.muster.model.Checkpoint;
import dev.muster.model.JobId;
import java.util.Optional;

/**
 * A checkpoint and what is known of it at one moment.
 *
 * @param entry    what lies on disk
 * @param missing  what its structure lacks, as the end of a sentence about it
 * @param settled  whether nobody writes to it any more: unchanged for 2 seconds, reported whole, or recorded
 * @param recorded what was recorded of exactly this content
 * @param changed  whether it was recorded with other content, and nobody had a reason to write it again
 */
record Seen(Entry entry, Optional<String> missing, boolean settled, Optional<Recorded> recorded, boolean changed) {
    String name() {
        return entry.name();
    }

    /** The same when no process that could write is alive. */
    Seen withWritersDead() {
        return new Seen(entry, missing, true, recorded, changed);
    }

    boolean isWhole() {
        return missing.isEmpty() && settled && !changed && !EntryName.isUnfinished(entry.name());
    }

    Checkpoint checkpoint(JobId job, Optional<String> digest) {
        return new Checkpoint(
                job,
                entry.name(),
                entry.step(),
                entry.path().toString(),
                isWhole(),
                digest,
                entry.saved().toInstant());
    }
}
