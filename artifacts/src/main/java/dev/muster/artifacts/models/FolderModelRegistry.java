package dev.muster.artifacts.models;

import dev.muster.artifacts.files.DiskSpace;
import dev.muster.artifacts.files.Durable;
import dev.muster.artifacts.files.Lease;
import dev.muster.artifacts.files.Tree;
import dev.muster.artifacts.files.TreeDigest;
import dev.muster.artifacts.files.TreeEntry;
import dev.muster.formats.files.Folders;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.ModelVersion;
import dev.muster.spi.Clock;
import dev.muster.spi.ModelRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Models in folders: {@code MUSTER_HOME/models/NAME/VERSION/files/} and {@code manifest.json} beside it.
 *
 * <p>A model folder moves, by rename where one file system holds both, into {@code models/.staging/JOB/}, is sealed there (read-only,
 * on the disk, hashed) and becomes {@code NAME/VERSION} by one rename. A crash between any two steps leaves either that staging
 * folder, from which the next {@link #publish} for the job goes on, or the version itself, which it then finds. A lock for each name
 * keeps two services over one folder from giving a version twice. After a failure the folder is the chief's again.
 */
public final class FolderModelRegistry implements ModelRegistry {
    private static final String STAGING = ".staging";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final Pattern VERSION = Pattern.compile("[1-9][0-9]{0,8}");
    private static final Comparator<ModelVersion> NEWEST_FIRST = Comparator.comparing(ModelVersion::createdAt)
            .thenComparingInt(ModelVersion::version)
            .reversed()
            .thenComparing(ModelVersion::name);

    private final Path folder;
    private final Clock clock;
    private final Publication.Steps steps;
    private final Map<Path, Known> read = new ConcurrentHashMap<>();

    private record Known(FileTime written, ModelVersion version) {}

    /** Opens or makes the registry below MUSTER_HOME. */
    public FolderModelRegistry(Path home, Clock clock) throws IOException {
        this(home, clock, step -> {});
    }

    FolderModelRegistry(Path home, Clock clock, Publication.Steps steps) throws IOException {
        this.folder = Files.createDirectories(home.resolve("models"));
        this.clock = clock;
        this.steps = steps;
    }

    @Override
    public ModelVersion publish(JobId job, String name, Path source, Map<String, String> lineage)
            throws PublishException {
        if (!NAME.matcher(name).matches()) {
            throw new PublishException(
                    Cause.INTERNAL, "'" + name + "' cannot name a model; use letters, digits, '.', '_' and '-'");
        }
        try (Lease _ = Lease.take(folder.resolve(".locks").resolve(name + ".lock"))) {
            Optional<ModelVersion> done = of(job);
            ModelVersion version = done.isPresent() ? done.get() : register(job, name, source, lineage);
            steps.before("remove source");
            // Still there only after a copy from another file system, or when an earlier try ended right here.
            Tree.deleteQuietly(source);
            Tree.deleteQuietly(staging(job));
            return version;
        } catch (IOException | UncheckedIOException failed) {
            throw failure(name, failed);
        }
    }

    private ModelVersion register(JobId job, String name, Path source, Map<String, String> lineage)
            throws PublishException, IOException {
        Publication publication = new Publication(staging(job), source, steps);
        try {
            publication.take();
            return show(job, name, lineage, publication.seal());
        } catch (PublishException | IOException failed) {
            Optional<ModelVersion> visible = visibleOrUndone(job, publication);
            if (visible.isPresent()) {
                return visible.get();
            }
            throw failed;
        }
    }

    /** A version that became visible stays, also when the thread was interrupted right after; else the files go back. */
    private Optional<ModelVersion> visibleOrUndone(JobId job, Publication publication) {
        boolean interrupted = Thread.interrupted();
        try {
            Optional<ModelVersion> visible = of(job);
            if (visible.isEmpty()) {
                publication.giveBack();
            }
            return visible;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private ModelVersion show(JobId job, String name, Map<String, String> lineage, List<TreeEntry> entries)
            throws IOException {
        Path versions = Files.createDirectories(folder.resolve(name));
        int version =
                versions(versions).stream().mapToInt(Integer::intValue).max().orElse(0) + 1;
        Manifest manifest = Manifest.of(name, version, job, clock.now(), lineage, entries);
        steps.before("write manifest");
        manifest.write(staging(job));
        steps.before("rename out");
        Durable.move(staging(job), versions.resolve(Integer.toString(version)));
        steps.before("answer");
        return manifest.version();
    }

    private static PublishException failure(String name, Exception failed) {
        if (DiskSpace.isFull(failed)) {
            return new PublishException(
                    Cause.DISK_FULL,
                    "the model " + name + " could not be registered: no space left on device; free some");
        }
        if (Thread.currentThread().isInterrupted()) {
            return new PublishException(Cause.INTERNAL, "the model " + name + " was stopped before it was registered");
        }
        return new PublishException(
                Cause.INTERNAL, "the model " + name + " could not be registered: " + failed.getMessage());
    }

    @Override
    public Optional<ModelVersion> of(JobId job) {
        return list(Optional.empty()).stream()
                .filter(version -> version.job().equals(job))
                .findFirst();
    }

    @Override
    public List<ModelVersion> list(Optional<String> name) {
        List<ModelVersion> all = new ArrayList<>();
        for (String each : name.isPresent() ? List.of(name.get()) : names()) {
            if (NAME.matcher(each).matches()) {
                Path versions = folder.resolve(each);
                versions(versions)
                        .forEach(version ->
                                manifest(versions.resolve(version.toString())).ifPresent(all::add));
            }
        }
        all.sort(NEWEST_FIRST);
        return List.copyOf(all);
    }

    @Override
    public Optional<Path> files(String name, int version) {
        if (!NAME.matcher(name).matches()) {
            return Optional.empty();
        }
        Path files = folder.resolve(name).resolve(Integer.toString(version)).resolve("files");
        return Files.isDirectory(files) ? Optional.of(files) : Optional.empty();
    }

    /**
     * Reads every byte of a version again.
     *
     * @return what differs from its manifest, one sentence a file; empty when nothing does
     * @throws IOException when there is no such version or it cannot be read
     */
    public List<String> verify(String name, int version) throws IOException {
        Path files = files(name, version)
                .orElseThrow(() -> new NoSuchFileException("there is no version " + version + " of model " + name));
        Manifest manifest = Manifest.read(files.getParent());
        List<TreeEntry> now = Tree.read(files);
        if (TreeDigest.of(now).equals(manifest.version().digest())) {
            return List.of();
        }
        List<String> differences = new ArrayList<>();
        for (TreeEntry entry : manifest.entries()) {
            if (!now.contains(entry)) {
                boolean there = now.stream().anyMatch(other -> other.path().equals(entry.path()));
                differences.add(entry.path() + (there ? " has changed" : " is gone"));
            }
        }
        for (TreeEntry entry : now) {
            if (manifest.entries().stream().noneMatch(other -> other.path().equals(entry.path()))) {
                differences.add(entry.path() + " was added");
            }
        }
        return differences.isEmpty() ? List.of("the manifest's digest is not that of its files") : differences;
    }

    @Override
    public Set<JobId> unfinished() {
        return children(folder.resolve(STAGING)).stream().map(JobId::new).collect(Collectors.toSet());
    }

    @Override
    public void abandon(JobId job) throws IOException {
        Folders.delete(staging(job));
    }

    private Path staging(JobId job) {
        return folder.resolve(STAGING).resolve(job.value());
    }

    private Optional<ModelVersion> manifest(Path version) {
        try {
            FileTime written = Files.getLastModifiedTime(version.resolve(Manifest.FILE));
            Known known = read.get(version);
            if (known == null || !known.written().equals(written)) {
                known = new Known(written, Manifest.read(version).version());
                read.put(version, known);
            }
            return Optional.of(known.version());
        } catch (IOException damaged) {
            System.getLogger(FolderModelRegistry.class.getName())
                    .log(System.Logger.Level.WARNING, damaged.getMessage());
            return Optional.empty();
        }
    }

    private List<String> names() {
        return children(folder).stream()
                .filter(name -> NAME.matcher(name).matches())
                .toList();
    }

    private static List<Integer> versions(Path folder) {
        return children(folder).stream()
                .filter(name -> VERSION.matcher(name).matches())
                .map(Integer::valueOf)
                .toList();
    }

    private static List<String> children(Path folder) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> children = Files.newDirectoryStream(folder)) {
            children.forEach(child -> names.add(child.getFileName().toString()));
        } catch (NoSuchFileException none) {
            return List.of();
        } catch (IOException unreadable) {
            throw new UncheckedIOException("the models in " + folder + " cannot be read", unreadable);
        }
        return names;
    }
}
