package dev.muster.backend.docker;

import dev.muster.formats.files.Folders;
import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.spi.BackendException;
import dev.muster.spi.CodeStore;
import dev.muster.spi.JobFolders;
import dev.muster.spi.Launch;
import dev.muster.spi.Rendered;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;

/**
 * Where dockerd sees the service's files: the folders of the job themselves are mounted, so that all is where it belongs at once. The
 * attempt's own folder is {@code /muster}; in it are mounted what is the job's, and the log.
 */
record MountedFiles(JobFolders folders, CodeStore code) implements Delivery {
    static final String WORD = "mounted";

    @Override
    public String word() {
        return WORD;
    }

    @Override
    public void prepare(Launch launch, Rendered rendered, ArrayNode mounts) throws IOException, BackendException {
        ProcessKey key = launch.key();
        Map<String, Path> data = DataPaths.of(launch);
        Path attempt = folders.process(key);
        Folders.delete(attempt);
        Path work = FileTree.open(folders.code(key));
        FileTree.open(folders.model(key));
        FileTree.open(attempt.resolve("run"));
        FileTree.open(folders.checkpoints(key.job()));
        FileTree.open(folders.control(key.job()));
        if (launch.codeDigest().isPresent()) {
            code.copyTo(launch.codeDigest().get(), work);
        }
        FileTree.write(work, rendered.files());
        FileTree.openAll(work);
        // dockerd would make what others are mounted on by itself, as root.
        Files.createDirectories(attempt.resolve("checkpoints"));
        Files.createDirectories(attempt.resolve("control"));
        openFile(attempt.resolve("log"));
        openFile(folders.reports(key));
        Files.createDirectories(folders.log(key).getParent());
        openFile(folders.log(key));
        bind(mounts, attempt, Places.ROOT, false);
        bind(mounts, folders.checkpoints(key.job()), Places.CHECKPOINTS, false);
        bind(mounts, folders.control(key.job()), Places.CONTROL, true);
        bind(mounts, folders.log(key), Places.LOG, false);
        Optional<ResumePoint> other = ResumePoint.of(folders, launch).filter(point -> !point.own());
        if (other.isPresent()) {
            Files.createDirectories(attempt.resolve("resume"));
            bind(mounts, other.get().outside().getParent(), ResumePoint.FOLDER, true);
        }
        for (Map.Entry<String, Path> each : data.entrySet()) {
            Path target = attempt.resolve("data").resolve(each.getKey());
            if (Files.isDirectory(each.getValue())) {
                Files.createDirectories(target);
            } else {
                Files.createDirectories(target.getParent());
                openFile(target);
            }
            bind(mounts, each.getValue().toRealPath(), Places.DATA + "/" + each.getKey(), true);
        }
    }

    private static void openFile(Path file) throws IOException {
        if (!Files.exists(file)) {
            Files.createFile(file);
        }
        Files.setPosixFilePermissions(file, FileTree.OPEN_FILE);
    }

    static void bind(ArrayNode mounts, Path source, String target, boolean readOnly) {
        mounts.add(DockerApi.object()
                .put("Type", "bind")
                .put("Source", source.toString())
                .put("Target", target)
                .put("ReadOnly", readOnly));
    }

    @Override
    public void deliver(Launch launch, Rendered rendered, String container) {}

    /** One file with two names: where the container sees it, and where logs are. */
    @Override
    public void offer(Found held, ProcessKey to) throws IOException {
        Path here = inside(held.key(), Places.TAKEN_LOG);
        Path log = folders.log(to);
        if (Files.exists(folders.process(held.key())) && !(Files.exists(log) && Files.exists(here))) {
            Files.createDirectories(log.getParent());
            Files.deleteIfExists(log);
            openFile(here);
            Files.createLink(log, here);
        }
    }

    private Path inside(ProcessKey key, String place) {
        return folders.process(key).resolve(Path.of(Places.ROOT).relativize(Path.of(place)));
    }

    @Override
    public void withdraw(Found held, ProcessKey to) throws IOException {
        Files.deleteIfExists(folders.log(to));
        Files.deleteIfExists(inside(held.key(), Places.TAKEN_LOG));
    }

    /** What is mounted is the folder itself, wherever it is moved. */
    @Override
    public void taken(Found held, ProcessKey to) throws IOException {
        Path folder = folders.process(held.key());
        if (Files.exists(folder)) {
            Path other = folders.process(to);
            Folders.delete(other);
            Files.createDirectories(other.getParent());
            Files.move(folder, other);
        }
    }

    @Override
    public void follow(Found running) {}

    @Override
    public void drain(Found ended) {}

    @Override
    public void collect(JobId job, List<Found> containers) {}

    @Override
    public void remove(JobId job) {}

    @Override
    public void forget(ProcessKey key) {}

    @Override
    public void close() {}
}
