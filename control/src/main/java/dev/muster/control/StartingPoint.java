package dev.muster.control;

import dev.muster.model.BackendKind;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobSpec;
import dev.muster.model.Problem;
import dev.muster.spi.CheckpointCatalogue;
import dev.muster.spi.CheckpointCatalogue.Choice;
import dev.muster.spi.JobStore;
import dev.muster.spi.Projects;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What an attempt resumes from: the newest whole checkpoint of the job itself, else that of its {@code checkpoints.from}. */
public final class StartingPoint {
    private static final String FIELD = "checkpoints.from";

    private final JobStore store;
    private final CheckpointCatalogue checkpoints;

    public StartingPoint(JobStore store, CheckpointCatalogue checkpoints) {
        this.store = store;
        this.checkpoints = checkpoints;
    }

    /**
     * Chooses for the next attempt; for the first one of a job that has no checkpoint and names none, nothing.
     *
     * @param writersDead whether no process of the job that could write is alive
     * @throws UnusableException when the job names what to start from and there is no whole checkpoint
     */
    public Choice choose(JobRecord job, boolean writersDead) throws UnusableException {
        Choice own = checkpoints.choose(job.id(), writersDead);
        Optional<String> from = job.spec().checkpoints().from();
        if (own.checkpoint().isPresent() || from.isEmpty()) {
            return own;
        }
        Choice other = named(job, from.get());
        if (other.checkpoint().isEmpty()) {
            throw new UnusableException("checkpoints.from " + from.get() + " has no whole checkpoint"
                    + String.join(
                            "",
                            other.warnings().stream()
                                    .map(warning -> "; " + warning)
                                    .toList()));
        }
        List<String> warnings = new ArrayList<>(own.warnings());
        warnings.addAll(other.warnings());
        return new Choice(other.checkpoint(), warnings);
    }

    /**
     * What is wrong with {@code checkpoints.from} when a job is submitted: it names neither a job of the project nor anything there is,
     * beside the job file in {@code folder}. Looks at names only. What other backends see at that path is not known here.
     */
    public Optional<Problem> wrong(JobSpec spec, String folder, String project) {
        Optional<String> from = spec.checkpoints().from();
        if (from.isEmpty() || !readsFromHere(spec.backend()) || isJob(from.get(), project)) {
            return Optional.empty();
        }
        try {
            Path path = Path.of(folder).resolve(from.get());
            // A TensorFlow checkpoint is a prefix; no file of it has that very name.
            return Files.exists(path) || Files.exists(path.resolveSibling(path.getFileName() + ".index"))
                    ? Optional.empty()
                    : Optional.of(Problem.of(FIELD, "checkpoints.from " + nothing(from.get(), path)));
        } catch (InvalidPathException noPath) {
            return Optional.of(Problem.of(FIELD, "checkpoints.from is neither a job nor a path"));
        }
    }

    private static boolean readsFromHere(BackendKind backend) {
        return switch (backend) {
            case LOCAL, DOCKER -> true;
            case KUBERNETES, KUBEFLOW -> false;
        };
    }

    private static String nothing(String from, Path path) {
        return "names nothing: there is " + (from.contains("/") ? "" : "no job " + from + " and ") + "nothing at "
                + path.normalize();
    }

    private boolean isJob(String from, String project) {
        return !from.contains("/") && job(from, project).isPresent();
    }

    private Choice named(JobRecord job, String from) throws UnusableException {
        if (!from.contains("/")) {
            Optional<JobRecord> source = job(from, job.origin().project());
            if (source.isPresent()) {
                return checkpoints.choose(
                        source.get().id(), source.get().state().isFinal());
            }
        }
        try {
            return checkpoints.choose(Path.of(job.origin().folder()).resolve(from));
        } catch (InvalidPathException noPath) {
            throw new UnusableException("checkpoints.from is neither a job nor a path");
        }
    }

    /** What is not of the project is not there. */
    private Optional<JobRecord> job(String idOrName, String project) {
        try {
            Optional<JobRecord> byId = store.find(new JobId(idOrName))
                    .filter(job -> job.origin().project().equals(project));
            if (byId.isPresent()) {
                return byId;
            }
        } catch (IllegalArgumentException noId) {
            // a name then
        }
        return store.named(idOrName, Projects.of(project)).flatMap(store::find);
    }

    /** What to start from is named and cannot be used; the message says why. */
    public static final class UnusableException extends Exception {
        private static final long serialVersionUID = 1L;

        UnusableException(String message) {
            super(message);
        }
    }
}
