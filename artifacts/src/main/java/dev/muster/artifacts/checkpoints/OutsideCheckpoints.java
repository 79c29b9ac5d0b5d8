package dev.muster.artifacts.checkpoints;

import dev.muster.artifacts.checkpoints.Entry.Form;
import dev.muster.model.JobId;
import dev.muster.spi.CheckpointCatalogue.Choice;
import dev.muster.spi.JobFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Checkpoints by path, for {@code checkpoints.from}: a checkpoint itself (a file, a folder, a TensorFlow prefix with or without its
 * ending), or a folder of checkpoints. Nothing is written. Digests recorded by a job of this home are used where the path lies in it.
 */
final class OutsideCheckpoints {
    private final JobFolders folders;

    OutsideCheckpoints(JobFolders folders) {
        this.folders = folders;
    }

    Choice choose(Path given) throws IOException {
        Path path = given.toAbsolutePath().normalize();
        Optional<Entry> itself = itself(path);
        List<Entry> candidates = itself.isPresent() ? List.of(itself.get()) : Scan.folder(path, Set.of());
        if (candidates.isEmpty()) {
            String what = Files.exists(path) ? "there is no checkpoint in " + path : "there is nothing at " + path;
            return new Choice(Optional.empty(), List.of(what));
        }
        JobId job = job(path);
        CheckpointIndex index = CheckpointIndex.open(FolderCheckpointCatalogue.indexFile(folders, job));
        Set<String> markers = Structure.expectedMarkers(candidates);
        List<Seen> seen = new ArrayList<>();
        for (Entry entry : candidates) {
            Optional<CheckpointIndex.Recorded> any = index.of(entry.name()).recorded();
            Optional<CheckpointIndex.Recorded> same =
                    any.filter(record -> record.signature().equals(entry.signature()));
            boolean changed = any.isPresent() && same.isEmpty() && entry.step().isPresent();
            seen.add(new Seen(entry, Structure.missing(entry, markers), true, same, changed));
        }
        Selection selection = itself.isPresent() ? named(seen.getFirst()) : Selection.of(seen, true, false);
        return FolderCheckpointCatalogue.choice(job, selection);
    }

    /** One that is named is taken whatever its name says, if it is whole. */
    private static Selection named(Seen seen) throws IOException {
        Optional<String> refusal = seen.missing();
        Optional<String> digest = Optional.empty();
        if (refusal.isEmpty()) {
            Proof proof = Proof.of(seen, false);
            refusal = proof.refusal();
            digest = proof.digest();
        }
        return refusal.isPresent()
                ? new Selection(Optional.empty(), List.of(seen.name() + " cannot be used: it " + refusal.get()))
                : new Selection(Optional.of(new Selection.Chosen(seen, digest)), List.of());
    }

    /** The checkpoint that the path itself is; empty for a folder of checkpoints. */
    private static Optional<Entry> itself(Path path) throws IOException {
        String name = path.getFileName() == null ? "" : path.getFileName().toString();
        String prefix = name.endsWith(".index") ? name.substring(0, name.length() - ".index".length()) : name;
        if (path.getParent() != null && (!Files.exists(path) || !prefix.equals(name))) {
            Optional<Entry> tensorFlow = Scan.folder(path.getParent(), Set.of()).stream()
                    .filter(entry ->
                            entry.form() == Form.TENSORFLOW && entry.name().equals(prefix))
                    .findFirst();
            if (tensorFlow.isPresent()) {
                return tensorFlow;
            }
        }
        if (Files.isRegularFile(path)) {
            return Optional.of(Scan.entry(path));
        }
        if (!Files.isDirectory(path)) {
            return Optional.empty();
        }
        Entry folder = Scan.entry(path);
        List<Entry> inside = Scan.folder(path, Set.of());
        boolean holdsSteps = inside.stream().anyMatch(entry -> entry.step().isPresent());
        boolean one = FolderForm.isRecognised(folder) || !holdsSteps && inside.size() > 1;
        return one ? Optional.of(folder) : Optional.empty();
    }

    private JobId job(Path path) {
        Path jobs = folders.home().resolve("jobs");
        if (!path.startsWith(jobs) || path.getNameCount() == jobs.getNameCount()) {
            return FolderCheckpointCatalogue.NO_JOB;
        }
        try {
            return new JobId(path.getName(jobs.getNameCount()).toString());
        } catch (IllegalArgumentException noJob) {
            return FolderCheckpointCatalogue.NO_JOB;
        }
    }
}
