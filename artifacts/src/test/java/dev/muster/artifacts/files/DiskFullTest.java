package dev.muster.artifacts.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.artifacts.code.FolderCodeStore;
import dev.muster.artifacts.models.FolderModelRegistry;
import dev.muster.formats.files.Folders;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.ModelVersion;
import dev.muster.spi.ModelRegistry.PublishException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The disk fills up at every place where something is written: nothing half is left, the failure is told, and later it works. */
class DiskFullTest {
    private static final int MOST_WRITES = 200;

    @TempDir
    Path folder;

    private FullDisk disk;
    private Path home;

    @BeforeEach
    void fill() {
        disk = new FullDisk(folder);
        home = disk.at(folder);
    }

    @Test
    void aSnapshotThatDoesNotFitLeavesNothing() throws Exception {
        Process tar = new ProcessBuilder(
                        "sh", "-c", "mkdir -p a/b && echo 1 > a/b/c && echo 2 > a/d && ln -s d a/e && tar -cf - a")
                .directory(folder.toFile())
                .start();
        byte[] archive = tar.getInputStream().readAllBytes();
        FolderCodeStore store = new FolderCodeStore(home);
        String digest = null;
        int room = 0;
        for (; digest == null && room < MOST_WRITES; room++) {
            disk.room(room);
            try {
                digest = store.put(new ByteArrayInputStream(archive), 1 << 20);
            } catch (IOException full) {
                assertThat(DiskSpace.isFull(full)).as(full.toString()).isTrue();
                assertThat(entries("store/code")).containsExactly(".staging");
                assertThat(entries("store/code/.staging")).isEmpty();
            }
        }
        assertThat(room).as("writes that were seen to fail").isGreaterThan(5);
        assertThat(store.has(digest)).isTrue();

        Path copy = home.resolve("copy");
        boolean copied = false;
        for (room = 0; !copied && room < MOST_WRITES; room++) {
            disk.room(room);
            try {
                store.copyTo(digest, copy);
                copied = true;
            } catch (IOException full) {
                assertThat(DiskSpace.isFull(full)).isTrue();
                assertThat(Files.exists(copy)).as("no half copy").isFalse();
            }
        }
        assertThat(room).isGreaterThan(4);
        assertThat(folder.resolve("copy/a/b/c")).hasContent("1");
    }

    @Test
    void aModelThatDoesNotFitIsDiskFullAndNotLost() throws Exception {
        FolderModelRegistry registry = new FolderModelRegistry(home, () -> Instant.EPOCH);
        Path source = Files.createDirectories(home.resolve("model"));
        Files.writeString(source.resolve("w"), "weights");
        modelDoesNotFit(registry, source, 3);
    }

    @Test
    void aModelFromAnotherFileSystemThatDoesNotFitIsDiskFullAndNotLost() throws Exception {
        Path elsewhere = Files.createTempDirectory(Path.of("/dev/shm"), "muster-artifacts-test");
        try {
            FolderModelRegistry registry = new FolderModelRegistry(home, () -> Instant.EPOCH);
            Path source = disk.at(
                    Files.createDirectories(elsewhere.resolve("model/deep")).getParent());
            Files.writeString(source.resolve("w"), "weights");
            modelDoesNotFit(registry, source, 6);
        } finally {
            Folders.delete(elsewhere);
        }
    }

    private void modelDoesNotFit(FolderModelRegistry registry, Path source, int leastFailures) throws Exception {
        Optional<ModelVersion> published = Optional.empty();
        int room = 0;
        for (; published.isEmpty() && room < MOST_WRITES; room++) {
            disk.room(room);
            try {
                published = Optional.of(registry.publish(new JobId("j1"), "cnn", source, Map.of("a", "b")));
            } catch (PublishException full) {
                assertThat(full.reasonCode()).as(full.getMessage()).isEqualTo(Cause.DISK_FULL);
                assertThat(full).hasMessageContaining("no space left on device");
                assertThat(source.resolve("w")).hasContent("weights");
                assertThat(registry.list(Optional.empty())).isEmpty();
                assertThat(folder.resolve("models/.staging/j1")).doesNotExist();
            }
        }
        assertThat(room).as("writes that were seen to fail").isGreaterThan(leastFailures);
        assertThat(published.orElseThrow().version()).isEqualTo(1);
        assertThat(folder.resolve("models/cnn/1/files/w")).hasContent("weights");
        assertThat(registry.verify("cnn", 1)).isEmpty();
    }

    @Test
    void aFileIsReplacedWholeOrStaysAsItWas() throws IOException {
        Path file = home.resolve("index.json");
        Durable.write(file, "old");
        for (int room = 0; room < 2; room++) {
            disk.room(room);
            try {
                Durable.write(file, "new");
                throw new AssertionError("it fitted into " + room);
            } catch (IOException full) {
                assertThat(DiskSpace.isFull(full)).isTrue();
            }
            assertThat(folder.resolve("index.json")).hasContent("old");
            assertThat(entries("")).containsExactly("index.json");
        }
        disk.room(2);
        Durable.write(file, "new");
        assertThat(folder.resolve("index.json")).hasContent("new");
    }

    private List<String> entries(String place) throws IOException {
        try (Stream<Path> all = Files.list(folder.resolve(place))) {
            return all.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }
}
