package dev.muster.artifacts.checkpoints;

import static dev.muster.artifacts.checkpoints.CheckpointFiles.zip;

import dev.muster.model.Checkpoint;
import dev.muster.model.JobId;
import dev.muster.spi.CheckpointCatalogue.Choice;
import dev.muster.spi.JobFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A job with a folder of checkpoints, a clock that is stepped, and readers in the background that are run by hand. */
abstract class CheckpointTrial {
    static final JobId JOB = new JobId("j1");

    @TempDir
    Path home;

    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    final Deque<Runnable> background = new ArrayDeque<>();
    Path folder;
    FolderCheckpointCatalogue catalogue;

    @BeforeEach
    void open() throws IOException {
        folder = Files.createDirectories(new JobFolders(home).checkpoints(JOB));
        catalogue = restarted();
    }

    /** A new service; by its disk's clock nothing is ever old, so only what it sees itself counts as still. */
    FolderCheckpointCatalogue restarted() {
        return new FolderCheckpointCatalogue(new JobFolders(home), () -> now, background::add, beside -> Instant.EPOCH);
    }

    Path save(String name, String content) throws IOException {
        Path file = folder.resolve(name);
        Files.write(file, name.endsWith(".pt") ? zip(content) : content.getBytes());
        return file;
    }

    void wait(Duration time) {
        now = now.plus(time);
    }

    /** Lets everything become still and be recorded. */
    void settle() {
        catalogue.list(JOB);
        wait(Duration.ofSeconds(2));
        catalogue.list(JOB);
        readInBackground();
    }

    void readInBackground() {
        while (!background.isEmpty()) {
            background.pop().run();
        }
    }

    List<String> listed() {
        return catalogue.list(JOB).stream().map(Checkpoint::name).toList();
    }

    List<String> whole() {
        return catalogue.list(JOB).stream()
                .filter(Checkpoint::whole)
                .map(Checkpoint::name)
                .toList();
    }

    String chosen(Choice choice) {
        return choice.checkpoint().map(Checkpoint::name).orElse("none");
    }

    List<String> onDisk() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    static List<Path> tree(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.sorted().toList();
        }
    }
}
