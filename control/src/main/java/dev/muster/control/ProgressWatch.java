package dev.muster.control;

import dev.muster.model.JobId;
import dev.muster.model.Progress;
import dev.muster.spi.JobStore;
import dev.muster.spi.Telemetry.Signs;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** Keeps the newest progress of one job in the store, at most once a second, and remembers when there was some. Used under the job's lock. */
final class ProgressWatch {
    private static final Duration PERIOD = Duration.ofSeconds(1);

    /** A job that runs is looked at every few seconds; after longer than this the service did not run itself. */
    private static final Duration GAP = Reconciler.RESYNC.multipliedBy(4);

    private Signs stored = Signs.NONE;
    private Instant storedAt = Instant.MIN;
    private OptionalLong step = OptionalLong.empty();
    private Optional<Instant> at = Optional.empty();
    private Optional<Instant> since = Optional.empty();
    private Optional<Instant> lookedAt = Optional.empty();

    /** Takes the signs of now; what is not stored yet is stored with a later call. */
    void note(JobStore store, JobId job, Signs signs, Instant now, boolean last) {
        boolean gap = lookedAt.filter(before -> now.isBefore(before.plus(GAP))).isEmpty();
        lookedAt = Optional.of(now);
        if (gap) {
            since = Optional.of(now);
        }
        if (gap || at.isEmpty() || !signs.progress().step().equals(step)) {
            step = signs.progress().step();
            at = Optional.of(now);
        }
        if (step.isEmpty() || hasTakenAllSteps(signs.progress())) {
            signs.lastOutput().values().stream()
                    .filter(output -> output.isAfter(at.get()))
                    .max(Instant::compareTo)
                    .ifPresent(output -> at = Optional.of(output));
        }
        boolean says = !signs.progress().equals(Progress.NONE) || signs.badRecords() > 0;
        boolean news = says && !signs.progress().equals(stored.progress())
                || says && signs.badRecords() != stored.badRecords();
        if (news && (last || storedAt == Instant.MIN || !now.isBefore(storedAt.plus(PERIOD)))) {
            store.progress(job, signs.progress(), signs.badRecords());
            stored = signs;
            storedAt = now;
        }
    }

    /** What follows the last step, an evaluation or saving the model, has none of its own. */
    private static boolean hasTakenAllSteps(Progress progress) {
        return progress.total().isPresent()
                && progress.step().orElse(-1) >= progress.total().getAsLong();
    }

    /** The training begins, or begins again: it has the whole stall time-out before it. */
    void begin(Instant now) {
        at = Optional.of(now);
        since = at;
    }

    /** Its processes cannot be seen: what they say comes late, so this time counts for nobody. */
    void withoutContact(Instant now) {
        begin(now);
    }

    /** From when on there was no gap in looking. */
    Optional<Instant> since() {
        return since;
    }

    /** When there was the last sign of progress: a new step, or for a job that reports none or has taken its last one, any output. */
    Optional<Instant> lastProgress() {
        return at;
    }
}
