package dev.muster.artifacts.checkpoints;

import dev.muster.model.Checkpoint;
import dev.muster.model.JobId;
import dev.muster.spi.CheckpointCatalogue;
import dev.muster.spi.Clock;
import dev.muster.spi.JobFolders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Checkpoints read from {@code MUSTER_HOME/jobs/ID/checkpoints}. Listing costs names, attributes and a few bytes of what changed; files
 * are read whole only in {@link #choose} and, once each, in the background when they become whole, so that what is on disk at resume can
 * be compared with what was saved.
 *
 * <p>A name with a step that is changed after it was recorded is trusted again when it is reported, when its own check sums cover it
 * (zip, TensorFlow), or when an attempt that started at or before that step wrote it; otherwise it is taken for damaged.
 *
 * @see EntryName for what counts as the step
 */
public final class FolderCheckpointCatalogue implements CheckpointCatalogue {
    /** Stands for the job of a checkpoint that belongs to none. */
    public static final JobId NO_JOB = new JobId("none");

    /** Jobs that nobody has asked about for long are looked at afresh when somebody does. */
    private static final int MOST_REMEMBERED = 1_000;

    private final JobFolders folders;
    private final Clock clock;
    private final Executor background;
    private final Stillness.DiskClock diskClock;
    private final LinkedHashMap<JobId, JobCheckpoints> jobs = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * @param background reads files that became whole; one thread is enough, and it may be slow
     */
    public FolderCheckpointCatalogue(JobFolders folders, Clock clock, Executor background) {
        this(folders, clock, background, Stillness.DiskClock.REAL);
    }

    FolderCheckpointCatalogue(JobFolders folders, Clock clock, Executor background, Stillness.DiskClock diskClock) {
        this.folders = folders;
        this.clock = clock;
        this.background = background;
        this.diskClock = diskClock;
    }

    @Override
    public List<Checkpoint> list(JobId job, boolean writersDead) {
        List<Seen> seen = look(job, writersDead);
        readInBackground(of(job), seen);
        return seen.stream()
                .map(each -> each.checkpoint(job, each.recorded().map(CheckpointIndex.Recorded::digest)))
                .toList();
    }

    @Override
    public void reported(JobId job, String name) {
        String last = name.substring(name.lastIndexOf('/') + 1);
        String entry = last.endsWith(".index") ? last.substring(0, last.length() - ".index".length()) : last;
        try {
            if (!entry.isEmpty() && of(job).reported(entry)) {
                readInBackground(of(job), look(job));
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(
                    "the checkpoint " + name + " of job " + job + " cannot be looked at", failed);
        }
    }

    @Override
    public Choice choose(JobId job, boolean writersDead) {
        JobCheckpoints checkpoints = of(job);
        List<Seen> seen = look(job, writersDead);
        try {
            Selection selection = Selection.of(seen, true);
            if (selection.chosen().isPresent()) {
                Selection.Chosen chosen = selection.chosen().get();
                if (chosen.seen().recorded().isEmpty() && chosen.digest().isPresent()) {
                    checkpoints.record(chosen.seen().entry(), chosen.digest().get());
                }
            }
            checkpoints.startedFrom(selection.chosen().map(each -> each.seen().entry()), seen);
            return choice(job, selection);
        } catch (IOException failed) {
            throw new UncheckedIOException("the checkpoints of job " + job + " cannot be read", failed);
        }
    }

    @Override
    public Choice choose(Path path) {
        try {
            return new OutsideCheckpoints(folders).choose(path);
        } catch (IOException | UncheckedIOException | DirectoryIteratorException failed) {
            // The path is the user's word, so that nothing of it is a fault of the service.
            return new Choice(Optional.empty(), List.of(path + " cannot be read: " + why(failed)));
        }
    }

    private static String why(Exception failed) {
        Throwable cause = failed instanceof IOException ? failed : failed.getCause();
        return cause instanceof AccessDeniedException denied
                ? "permission for " + denied.getFile() + " is denied"
                : cause.getMessage();
    }

    static Choice choice(JobId job, Selection selection) {
        return new Choice(
                selection.chosen().map(chosen -> whole(chosen.seen().checkpoint(job, chosen.digest()))),
                selection.warnings());
    }

    private static Checkpoint whole(Checkpoint chosen) {
        return new Checkpoint(
                chosen.job(), chosen.name(), chosen.step(), chosen.path(), true, chosen.digest(), chosen.savedAt());
    }

    @Override
    public void prune(JobId job, int keep, boolean writersDead) {
        JobCheckpoints checkpoints = of(job);
        // Two that prune at once would take each other's half-removed folders for a fault.
        synchronized (checkpoints) {
            prune(job, checkpoints.folder(), keep, writersDead);
        }
    }

    private void prune(JobId job, Path folder, int keep, boolean writersDead) {
        List<Seen> seen = look(job, writersDead);
        try {
            Retention.removeLeftOver(folder);
            for (Seen old : Retention.mayGo(seen, keep, TensorFlowForm.namedByState(folder))) {
                Retention.remove(folder, old.entry());
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("old checkpoints of job " + job + " cannot be removed", failed);
        }
    }

    @Override
    public void forget(JobId job) {
        synchronized (jobs) {
            jobs.remove(job);
        }
    }

    private JobCheckpoints of(JobId job) {
        synchronized (jobs) {
            JobCheckpoints known = jobs.computeIfAbsent(
                    job,
                    id -> new JobCheckpoints(
                            folders.checkpoints(id), indexFile(folders, id), new Stillness(clock, diskClock)));
            if (jobs.size() > MOST_REMEMBERED) {
                jobs.pollFirstEntry();
            }
            return known;
        }
    }

    static Path indexFile(JobFolders folders, JobId job) {
        return folders.job(job).resolve("checkpoints.json");
    }

    private List<Seen> look(JobId job) {
        try {
            return of(job).look();
        } catch (IOException failed) {
            throw new UncheckedIOException("the checkpoints of job " + job + " cannot be listed", failed);
        }
    }

    private List<Seen> look(JobId job, boolean writersDead) {
        return look(job).stream()
                .map(each -> writersDead ? each.withWritersDead() : each)
                .toList();
    }

    private void readInBackground(JobCheckpoints checkpoints, List<Seen> all) {
        for (Seen seen : all) {
            if (checkpoints.shallRead(seen)) {
                try {
                    background.execute(() -> record(checkpoints, seen));
                } catch (RejectedExecutionException closing) {
                    checkpoints.read(seen, true);
                }
            }
        }
    }

    /** Records only what did not change while it was read. */
    private static void record(JobCheckpoints checkpoints, Seen seen) {
        boolean again = true;
        try {
            Proof proof = Proof.of(seen, true);
            Entry now = Scan.again(seen.entry());
            if (now.signature().equals(seen.entry().signature())) {
                if (proof.refusal().isEmpty() && proof.digest().isPresent()) {
                    checkpoints.record(now, proof.digest().get());
                }
                again = proof.refusal().isEmpty();
            }
        } catch (IOException removedMeanwhile) {
            System.getLogger(FolderCheckpointCatalogue.class.getName())
                    .log(System.Logger.Level.DEBUG, seen.name() + " could not be read", removedMeanwhile);
        } finally {
            checkpoints.read(seen, again);
        }
    }
}
