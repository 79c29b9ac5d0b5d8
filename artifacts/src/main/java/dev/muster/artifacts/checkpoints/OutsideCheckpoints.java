package dev.muster.artifacts.checkpoints;

import dev.muster.artifacts.checkpoints.Entry.Form;
import dev.muster.model.JobId;
import dev.muster.spi.CheckpointCatalogue.Choice;
import dev.muster.spi.JobFolders;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checkpoints by path, for {@code checkpoints.from}: a checkpoint itself (a file, a folder, a TensorFlow prefix with or without its
 * ending), or a folder of checkpoints. Nothing is written, and nothing but the path itself is looked into; of what lies beside it, only
 * names are read. Digests recorded by a job of this home are used where the path lies in it.
 */
final class OutsideCheckpoints {
    /** A folder with more in it is no folder of checkpoints, but a home or a whole disk. */
    private static final int MOST_ENTRIES = 200_000;

    private final JobFolders folders;

    OutsideCheckpoints(JobFolders folders) {
        this.folders = folders;
    }

    Choice choose(Path given) throws IOException {
        Path path = given.toAbsolutePath().normalize();
        if (path.getFileName() == null || isTooLarge(path)) {
            return new Choice(
                    Optional.empty(),
                    List.of(path + " holds more than a folder of checkpoints does; name the checkpoint or its folder"));
        }
        Optional<Entry> itself = itself(path);
        List<Entry> candidates = itself.isPresent() ? List.of(itself.get()) : Scan.folder(path, Set.of());
        if (candidates.isEmpty()) {
            String what = Files.exists(path) ? "there is no checkpoint in " + path : "there is nothing at " + path;
            return new Choice(Optional.empty(), List.of(what));
        }
        JobId job = job(path);
        CheckpointIndex index = CheckpointIndex.open(FolderCheckpointCatalogue.indexFile(folders, job));
        Set<String> markers = itself.isPresent() ? markersBeside(itself.get()) : Structure.expectedMarkers(candidates);
        List<Seen> seen = new ArrayList<>();
        for (Entry entry : candidates) {
            Optional<CheckpointIndex.Recorded> any = index.of(entry.name()).recorded();
            Optional<CheckpointIndex.Recorded> same =
                    any.filter(record -> record.signature().equals(entry.signature()));
            boolean changed = any.isPresent() && same.isEmpty() && entry.step().isPresent();
            seen.add(new Seen(entry, Structure.missing(entry, markers), true, same, changed));
        }
        Selection selection = itself.isPresent() ? named(seen.getFirst()) : Selection.of(seen, false);
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

    /** The checkpoint that the path itself is; empty for a folder of checkpoints, and where there is nothing. */
    private static Optional<Entry> itself(Path path) throws IOException {
        String name = path.getFileName().toString();
        String prefix = name.endsWith(".index") ? name.substring(0, name.length() - ".index".length()) : name;
        if (!Files.exists(path) || !prefix.equals(name)) {
            Optional<Entry> tensorFlow = Scan.tensorFlow(path.resolveSibling(prefix));
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
        boolean isStep = folder.step().isPresent() && !inside.isEmpty();
        boolean one = FolderForm.isRecognised(folder) || !holdsSteps && (inside.size() > 1 || isStep);
        return one ? Optional.of(folder) : Optional.empty();
    }

    /** What finished checkpoints beside a folder with a step carry, without looking into them. */
    private static Set<String> markersBeside(Entry entry) throws IOException {
        Set<String> markers = new TreeSet<>();
        if (entry.form() != Form.FOLDER || entry.step().isEmpty()) {
            return markers;
        }
        try (DirectoryStream<Path> beside =
                Files.newDirectoryStream(entry.path().getParent())) {
            for (Path other : beside) {
                if (EntryName.step(other.getFileName().toString()).isPresent()) {
                    FolderForm.MARKERS.stream()
                            .filter(marker -> Files.isRegularFile(other.resolve(marker)))
                            .forEach(markers::add);
                }
            }
        } catch (AccessDeniedException | DirectoryIteratorException hidden) {
            // What cannot be seen asks for nothing.
        }
        return markers;
    }

    private static boolean isTooLarge(Path path) throws IOException {
        int[] entries = {0};
        if (Files.isDirectory(path)) {
            Files.walkFileTree(path, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    entries[0]++;
                    return entries[0] > MOST_ENTRIES ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException hidden) {
                    // Told, or not, when it is read.
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path folder, IOException vanished) {
                    return FileVisitResult.CONTINUE;
                }
            });
        }
        return entries[0] > MOST_ENTRIES;
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
