package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.backend.kubernetes.CheckpointSync.Writer;
import dev.muster.spi.BackendException;
import dev.muster.testkit.FakeClock;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointSyncTest {
    @TempDir
    private Path root;

    private final FakeClock clock = new FakeClock();
    private Path target;

    /** A folder of this host in the place of a pod's; what a program does while it is copied is done then. */
    private static final class HostFolder implements CheckpointFolder {
        private final Path folder;
        private Runnable whileCopied = () -> {};

        HostFolder(Path folder) {
            this.folder = folder;
        }

        void write(String path, String content, long seconds) {
            try {
                Path file = folder.resolve(path);
                Files.createDirectories(file.getParent());
                Files.writeString(file, content);
                Files.setLastModifiedTime(file, FileTime.from(seconds, TimeUnit.SECONDS));
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }

        @Override
        public Listing look() {
            try (Stream<Path> files = Files.walk(folder)) {
                Map<String, Listing.Stat> found = new TreeMap<>();
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    String path = folder.relativize(file).toString();
                    found.put(path, Listing.stat(folder, path).orElseThrow());
                }
                return new Listing(found);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }

        @Override
        public void copy(List<String> paths, Path into) {
            try {
                Parcel parcel = new Parcel();
                for (String path : paths) {
                    if (Files.exists(folder.resolve(path))) {
                        parcel.add(folder.resolve(path), path);
                    }
                }
                ByteArrayOutputStream archive = new ByteArrayOutputStream();
                parcel.writeTo(archive);
                Unpacking.unpack(new ByteArrayInputStream(archive.toByteArray()), into);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
            whileCopied.run();
        }

        @Override
        public void put(Parcel files) {
            try {
                ByteArrayOutputStream archive = new ByteArrayOutputStream();
                files.writeTo(archive);
                Unpacking.unpack(new ByteArrayInputStream(archive.toByteArray()), folder);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }

        @Override
        public void putWhileHeld(Parcel files) {
            put(files);
        }

        @Override
        public void remove(Collection<String> paths) {
            for (String path : paths) {
                try {
                    Files.deleteIfExists(folder.resolve(path));
                } catch (IOException failed) {
                    throw new UncheckedIOException(failed);
                }
            }
        }

        @Override
        public void removeWhileHeld(Collection<String> paths) {
            remove(paths);
        }
    }

    @BeforeEach
    void folders() throws IOException {
        target = Files.createDirectories(root.resolve("job/checkpoints"));
    }

    private HostFolder pod(String name) throws IOException {
        return new HostFolder(Files.createDirectories(root.resolve(name)));
    }

    private CheckpointSync sync(HostFolder pod) {
        return new CheckpointSync(pod, target, root.resolve("job/inbox"), clock, Writer.PROGRAM);
    }

    private void look(CheckpointSync sync) throws BackendException {
        sync.look();
        sync.fetch();
        sync.bring();
        clock.advance(Duration.ofMillis(500));
    }

    private String inJob(String path) throws IOException {
        return Files.exists(target.resolve(path)) ? Files.readString(target.resolve(path)) : "none";
    }

    @Test
    void anEntryThatRestsIsFetchedThoughTheFolderNeverDoes() throws Exception {
        HostFolder pod = pod("worker-0");
        CheckpointSync sync = sync(pod);
        for (int step = 0; step < 10; step++) {
            pod.write("ckpt-" + step + ".pt", "state of " + step, 1_000 + step);
            look(sync);
        }
        assertThat(inJob("ckpt-0.pt")).isEqualTo("state of 0");
        assertThat(inJob("ckpt-5.pt")).isEqualTo("state of 5");
        assertThat(inJob("ckpt-9.pt")).isEqualTo("none");
    }

    @Test
    void whatAProgramCallsWholeIsFetchedAtOnceAndMoreOnlyASecondLater() throws Exception {
        HostFolder pod = pod("worker-0");
        CheckpointSync sync = sync(pod);
        look(sync);
        pod.write("last.pt", "of step 1", 1_000);
        pod.write("other.pt", "being written", 1_000);
        sync.fetchReported(List.of("last.pt"));
        assertThat(inJob("last.pt")).isEqualTo("of step 1");
        assertThat(inJob("other.pt")).isEqualTo("none");
        pod.write("last.pt", "of step 2", 1_001);
        sync.fetchReported(List.of("last.pt"));
        assertThat(inJob("last.pt")).isEqualTo("of step 1");
        clock.advance(Duration.ofSeconds(1));
        sync.fetchReported(List.of("last.pt"));
        assertThat(inJob("last.pt")).isEqualTo("of step 2");
    }

    @Test
    void aNameOfSeveralFilesMeansThemAll() throws Exception {
        HostFolder pod = pod("worker-0");
        CheckpointSync sync = sync(pod);
        pod.write("ckpt-1.index", "index", 1_000);
        pod.write("ckpt-1.data-00000-of-00001", "data", 1_000);
        pod.write("ckpt-10.index", "of another", 1_000);
        sync.fetchReported(List.of("ckpt-1"));
        assertThat(inJob("ckpt-1.index")).isEqualTo("index");
        assertThat(inJob("ckpt-1.data-00000-of-00001")).isEqualTo("data");
        assertThat(inJob("ckpt-10.index")).isEqualTo("none");
    }

    @Test
    void whatChangesWhileItIsCopiedIsLeftUntilItRests() throws Exception {
        HostFolder pod = pod("worker-0");
        CheckpointSync sync = sync(pod);
        pod.write("step-1/a", "a of 1", 1_000);
        pod.write("step-1/b", "b of 1", 1_000);
        pod.whileCopied = () -> pod.write("step-1/b", "b of 2", 1_005);
        sync.fetchReported(List.of("step-1"));
        assertThat(inJob("step-1/a")).isEqualTo("none");
        pod.whileCopied = () -> {};
        for (int times = 0; times < 6; times++) {
            look(sync);
        }
        assertThat(inJob("step-1/a")).isEqualTo("a of 1");
        assertThat(inJob("step-1/b")).isEqualTo("b of 2");
    }

    @Test
    void whatOneWroteAndAnotherWasGivenDoesNotComeBackOlder() throws Exception {
        HostFolder writer = pod("worker-0");
        HostFolder other = pod("worker-1");
        CheckpointSync ofWriter = sync(writer);
        CheckpointSync ofOther = sync(other);
        writer.write("last.pt", "of step 1", 1_000);
        for (int times = 0; times < 8; times++) {
            look(ofWriter);
            look(ofOther);
        }
        assertThat(other.look().files()).containsKey("last.pt");
        writer.write("last.pt", "of step 2", 1_010);
        for (int times = 0; times < 8; times++) {
            look(ofWriter);
            look(ofOther);
            look(ofOther);
        }
        assertThat(inJob("last.pt")).isEqualTo("of step 2");
    }

    @Test
    void aProgramWhoseClockIsBehindReplacesWhatWasThere() throws Exception {
        Files.writeString(target.resolve("last.pt"), "of the attempt before");
        Files.setLastModifiedTime(target.resolve("last.pt"), FileTime.from(2_000, TimeUnit.SECONDS));
        HostFolder pod = pod("worker-0");
        pod.write("last.pt", "of the attempt before", 2_000);
        CheckpointSync sync = sync(pod);
        sync.delivered();
        look(sync);
        pod.write("last.pt", "of this attempt", 1_500);
        for (int times = 0; times < 6; times++) {
            look(sync);
        }
        assertThat(inJob("last.pt")).isEqualTo("of this attempt");
    }

    @Test
    void whatTheServiceRemovedIsRemovedInThePodToo() throws Exception {
        HostFolder pod = pod("worker-0");
        CheckpointSync sync = sync(pod);
        pod.write("ckpt-1.pt", "1", 1_000);
        for (int times = 0; times < 6; times++) {
            look(sync);
        }
        Files.delete(target.resolve("ckpt-1.pt"));
        look(sync);
        assertThat(pod.look().files()).isEmpty();
        assertThat(inJob("ckpt-1.pt")).isEqualTo("none");
    }

    @Test
    void atTheEndEverythingIsFetched() throws Exception {
        HostFolder pod = pod("worker-0");
        CheckpointSync sync = sync(pod);
        pod.write("ckpt-7.pt", "7", 1_000);
        sync.fetchLast();
        assertThat(inJob("ckpt-7.pt")).isEqualTo("7");
    }

    @Test
    void namesAreReadFromReportsAndWhatIsTornIsPassedOver() {
        String reports = """
                {"step":3,"metrics":{"loss":0.5}}
                {"checkpoint":"step-120","step":120}
                {"step":121,"checkpoint": "/muster/checkpoints/ckpt-9.index"}
                {"checkpoint":"a\\"b"}
                {"checkpoint":"tor""";
        assertThat(ReportedCheckpoints.names(reports)).containsExactlyInAnyOrder("step-120", "ckpt-9");
    }
}
