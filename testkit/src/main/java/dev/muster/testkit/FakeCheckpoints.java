package dev.muster.testkit;

import dev.muster.model.Checkpoint;
import dev.muster.model.JobId;
import dev.muster.spi.CheckpointCatalogue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** A catalogue that holds what a test puts into it: every checkpoint is whole, the newest is the one with the highest step. */
public final class FakeCheckpoints implements CheckpointCatalogue {
    private final Map<JobId, List<Checkpoint>> saved = new HashMap<>();
    private final Set<Checkpoint> fresh = new HashSet<>();
    private final Map<JobId, List<String>> warnings = new HashMap<>();
    private final Map<Path, Checkpoint> outside = new HashMap<>();
    private final Map<JobId, List<String>> reported = new HashMap<>();
    private final Map<JobId, Integer> lists = new HashMap<>();
    private final List<JobId> forgotten = new ArrayList<>();

    /** The job has saved a whole checkpoint. */
    public synchronized void save(JobId job, long step) {
        saved.computeIfAbsent(job, id -> new ArrayList<>()).add(0, checkpoint(job, step));
    }

    /** The job has saved one a moment ago, which may still be written to as long as a process lives. */
    public synchronized void saveJustNow(JobId job, long step) {
        save(job, step);
        fresh.add(checkpoint(job, step));
    }

    /** What every later choice for the job warns about. */
    public void warn(JobId job, String warning) {
        warnings.computeIfAbsent(job, id -> new ArrayList<>()).add(warning);
    }

    /** There is a whole checkpoint in a folder that belongs to no job. */
    public void put(Path path, long step) {
        outside.put(path, checkpoint(new JobId("outside"), step));
    }

    /** Jobs that were forgotten, in order. */
    public synchronized List<JobId> forgotten() {
        return List.copyOf(forgotten);
    }

    /** How often the checkpoints of the job were listed by anybody but this fake itself. */
    public synchronized int lists(JobId job) {
        return lists.getOrDefault(job, 0);
    }

    /** Names of what the job has, newest first. */
    public synchronized List<String> names(JobId job) {
        return saved(job).stream().map(Checkpoint::name).toList();
    }

    /** Names that were reported, in order. */
    public List<String> reported(JobId job) {
        return reported.getOrDefault(job, List.of());
    }

    private static Checkpoint checkpoint(JobId job, long step) {
        return new Checkpoint(
                job,
                "step-" + step,
                OptionalLong.of(step),
                "/checkpoints/" + job + "/step-" + step,
                true,
                Optional.empty(),
                SampleJobs.NOON);
    }

    @Override
    public synchronized List<Checkpoint> list(JobId job, boolean writersDead) {
        lists.merge(job, 1, Integer::sum);
        return saved(job);
    }

    private List<Checkpoint> saved(JobId job) {
        return List.copyOf(saved.getOrDefault(job, List.of()));
    }

    @Override
    public synchronized void reported(JobId job, String name) {
        reported.computeIfAbsent(job, id -> new ArrayList<>()).add(name);
    }

    @Override
    public synchronized Choice choose(JobId job, boolean writersDead) {
        return new Choice(saved(job).stream().findFirst(), warnings.getOrDefault(job, List.of()));
    }

    @Override
    public Choice choose(Path path) {
        return new Choice(Optional.ofNullable(outside.get(path)), List.of());
    }

    @Override
    public synchronized void prune(JobId job, int keep, boolean writersDead) {
        List<Checkpoint> all = saved.getOrDefault(job, new ArrayList<>());
        long unsettled = writersDead ? 0 : all.stream().filter(fresh::contains).count();
        while (all.size() > keep + unsettled) {
            all.removeLast();
        }
    }

    @Override
    public synchronized void forget(JobId job) {
        forgotten.add(job);
    }
}
