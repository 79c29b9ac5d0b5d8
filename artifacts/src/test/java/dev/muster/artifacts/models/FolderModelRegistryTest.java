package dev.muster.artifacts.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.ModelVersion;
import dev.muster.spi.Clock;
import dev.muster.spi.ModelRegistry.PublishException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderModelRegistryTest {
    /** The steps before which there is something in the staging folder. */
    private static final Set<String> STAGED =
            Set.of("rename in", "copy in", "rename copy", "seal", "sync", "write manifest", "rename out");

    @TempDir
    Path home;

    private final AtomicLong second = new AtomicLong();
    private final Clock clock = () -> Instant.ofEpochSecond(1_700_000_000L + second.incrementAndGet());
    private FolderModelRegistry registry;

    @BeforeEach
    void open() throws IOException {
        registry = new FolderModelRegistry(home, clock);
    }

    private Path trained(String job, String content) throws IOException {
        Path folder = Files.createDirectories(home.resolve("jobs/" + job + "/model"));
        Files.writeString(folder.resolve("model.bin"), content);
        Files.writeString(Files.createDirectories(folder.resolve("variables")).resolve("v.data"), "vvv");
        return folder;
    }

    private ModelVersion publish(String job, String name) throws Exception {
        return registry.publish(new JobId(job), name, trained(job, "weights of " + job), Map.of("code", "sha256:00"));
    }

    @Test
    void givesVersionsFromOneAndKeepsThem() throws Exception {
        ModelVersion first = publish("j1", "cnn");
        ModelVersion second = publish("j2", "cnn");
        ModelVersion other = publish("j3", "mlp");

        assertThat(List.of(first.version(), second.version(), other.version())).containsExactly(1, 2, 1);
        assertThat(registry.list(Optional.of("cnn"))).containsExactly(second, first);
        assertThat(registry.list(Optional.empty())).containsExactly(other, second, first);
        assertThat(registry.of(new JobId("j2"))).contains(second);
        assertThat(registry.of(new JobId("j9"))).isEmpty();
        assertThat(registry.files("cnn", 1).orElseThrow().resolve("model.bin")).hasContent("weights of j1");
        assertThat(registry.files("cnn", 3)).isEmpty();
        assertThat(registry.files("../jobs", 1)).isEmpty();
        assertThat(home.resolve("jobs/j1/model")).doesNotExist();
        assertThat(first.lineage()).containsEntry("code", "sha256:00");
    }

    @Test
    void anotherRegistryOverTheSameFolderReadsTheSame() throws Exception {
        ModelVersion published = publish("j1", "cnn");
        assertThat(new FolderModelRegistry(home, clock).list(Optional.empty())).containsExactly(published);
    }

    @Test
    void versionsWithTenComeAfterNine() throws Exception {
        for (int i = 1; i <= 11; i++) {
            assertThat(publish("j" + i, "cnn").version()).isEqualTo(i);
        }
    }

    @Test
    void theDigestIsOfTheContent() throws Exception {
        ModelVersion first = registry.publish(new JobId("j1"), "cnn", trained("j1", "same"), Map.of());
        ModelVersion second = registry.publish(new JobId("j2"), "mlp", trained("j2", "same"), Map.of());
        ModelVersion third = registry.publish(new JobId("j3"), "mlp", trained("j3", "other"), Map.of());
        assertThat(second.digest()).isEqualTo(first.digest()).startsWith("sha256:");
        assertThat(third.digest()).isNotEqualTo(first.digest());
    }

    @Test
    void filesOfAVersionAreReadOnlyAndCheckedOnDemand() throws Exception {
        publish("j1", "cnn");
        Path files = registry.files("cnn", 1).orElseThrow();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files.resolve("model.bin"))))
                .doesNotContain("w");
        assertThat(registry.verify("cnn", 1)).isEmpty();

        files.resolve("variables/v.data").toFile().setWritable(true);
        Files.writeString(files.resolve("variables/v.data"), "vvx");
        Files.delete(files.resolve("model.bin"));
        Files.writeString(files.resolve("new"), "n");
        assertThat(registry.verify("cnn", 1))
                .containsExactlyInAnyOrder("variables/v.data has changed", "model.bin is gone", "new was added");
        assertThatThrownBy(() -> registry.verify("cnn", 2)).hasMessageContaining("no version 2");
    }

    @Test
    void theSameJobGetsTheSameVersionAgain() throws Exception {
        ModelVersion first = publish("j1", "cnn");
        Path again = trained("j1", "a late writer");
        assertThat(registry.publish(new JobId("j1"), "cnn", again, Map.of())).isEqualTo(first);
        assertThat(again).doesNotExist();
        assertThat(registry.list(Optional.empty())).hasSize(1);
    }

    @Test
    void anEmptyFolderIsModelMissing() throws Exception {
        Path empty = Files.createDirectories(home.resolve("jobs/j1/model/only/folders"));
        assertCause(Cause.MODEL_MISSING, "MUSTER_MODEL_DIR", home.resolve("jobs/j1/model"));
        assertThat(empty).exists();
        assertCause(Cause.MODEL_MISSING, "no model folder", home.resolve("jobs/j1/nothing"));
        Path file = Files.writeString(home.resolve("file"), "b65: a file in its place");
        assertCause(Cause.MODEL_MISSING, "no model folder", file);
        assertThat(home.resolve("models/cnn")).doesNotExist();
    }

    @Test
    void linksInsideAreKeptAndLinksThatLeaveAreRefused() throws Exception {
        Path inside = trained("j1", "w");
        Files.createSymbolicLink(inside.resolve("best.bin"), Path.of("model.bin"));
        registry.publish(new JobId("j1"), "cnn", inside, Map.of());
        assertThat(registry.files("cnn", 1).orElseThrow().resolve("best.bin"))
                .hasContent("w")
                .isSymbolicLink();

        Path leaving = trained("j2", "w");
        Files.createSymbolicLink(leaving.resolve("data"), Path.of("../../elsewhere"));
        assertThatThrownBy(() -> registry.publish(new JobId("j2"), "cnn", leaving, Map.of()))
                .isInstanceOf(PublishException.class)
                .hasMessageContaining("data")
                .hasMessageContaining("../../elsewhere");
        assertThat(leaving.resolve("model.bin"))
                .as("what was trained is not lost")
                .exists();
        assertThat(registry.list(Optional.of("cnn"))).hasSize(1);
        assertThat(home.resolve("models/.staging/j2")).doesNotExist();
    }

    @Test
    void aPipeInsideIsRefused() throws Exception {
        Path folder = trained("j1", "w");
        assertThat(new ProcessBuilder("mkfifo", folder.resolve("pipe").toString())
                        .start()
                        .waitFor())
                .isZero();
        assertCause(Cause.MODEL_MISSING, "pipe", folder);
    }

    @Test
    void aNameThatIsAPathIsRefused() throws Exception {
        Path folder = trained("j1", "w");
        for (String name : List.of("../x", "", ".staging", "a/b")) {
            assertThatThrownBy(() -> registry.publish(new JobId("j1"), name, folder, Map.of()))
                    .isInstanceOf(PublishException.class);
        }
        assertThat(folder).exists();
    }

    @Test
    void aDamagedManifestHidesNoOtherVersion() throws Exception {
        publish("j1", "cnn");
        ModelVersion second = publish("j2", "cnn");
        Files.writeString(home.resolve("models/cnn/1/manifest.json"), "{");
        assertThat(new FolderModelRegistry(home, clock).list(Optional.empty())).containsExactly(second);
        assertThat(publish("j3", "cnn").version()).isEqualTo(3);
    }

    @Test
    void anInterruptLeavesTheFilesOrTheVersion() throws Exception {
        for (String step : List.of("rename in", "seal", "sync", "write manifest", "rename out", "answer")) {
            Path fresh = Files.createDirectories(home.resolve("interrupted " + step));
            Path source = Files.createDirectories(fresh.resolve("model"));
            Files.writeString(source.resolve("w"), "w");
            FolderModelRegistry interrupted = new FolderModelRegistry(fresh, clock, at -> {
                if (at.equals(step)) {
                    Thread.currentThread().interrupt();
                }
            });
            boolean published;
            try {
                interrupted.publish(new JobId("j1"), "cnn", source, Map.of());
                published = true;
            } catch (PublishException stopped) {
                assertThat(stopped).hasMessageContaining("stopped before it was registered");
                published = false;
            }
            assertThat(Thread.interrupted())
                    .as("the interrupt stays set at " + step)
                    .isTrue();
            assertThat(Files.exists(source.resolve("w"))).as(step).isNotEqualTo(published);
            assertThat(interrupted.list(Optional.empty())).as(step).hasSize(published ? 1 : 0);
            assertThat(fresh.resolve("models/.staging/j1")).doesNotExist();
            FolderModelRegistry after = new FolderModelRegistry(fresh, clock);
            assertThat(after.publish(new JobId("j1"), "cnn", source, Map.of()).version())
                    .isEqualTo(1);
        }
    }

    @Test
    void twoServicesNeverGiveAVersionTwice() throws Exception {
        List<FolderModelRegistry> registries = List.of(registry, new FolderModelRegistry(home, clock));
        List<Future<ModelVersion>> published = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (int i = 0; i < 24; i++) {
                String job = "j" + i;
                Path folder = trained(job, "w" + i);
                FolderModelRegistry one = registries.get(i % 2);
                published.add(threads.submit(() -> one.publish(new JobId(job), "cnn", folder, Map.of())));
            }
        }
        List<Integer> versions = new ArrayList<>();
        for (Future<ModelVersion> each : published) {
            versions.add(each.get().version());
        }
        assertThat(versions)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.rangeClosed(1, 24).boxed().toList());
    }

    @Test
    void whatAJobWillNotPublishAnyMoreCanBeRemoved() throws Exception {
        Path source = trained("j1", "w");
        publishInOwnProcess(home, source, 5);
        assertThat(registry.unfinished()).containsExactly(new JobId("j1"));
        registry.abandon(new JobId("j1"));
        assertThat(registry.unfinished()).isEmpty();
        assertThat(registry.list(Optional.empty())).isEmpty();
    }

    @Test
    void twoProcessesNeverGiveAVersionTwice() throws Exception {
        List<Process> services = new ArrayList<>();
        for (String service : List.of("a", "b", "c")) {
            services.add(java(PublishesModels.class, home.toString(), service, "6"));
        }
        for (Process service : services) {
            assertThat(service.waitFor(50, TimeUnit.SECONDS)).isTrue();
            assertThat(service.exitValue()).isZero();
        }
        assertThat(registry.list(Optional.of("cnn")))
                .extracting(ModelVersion::version)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.rangeClosed(1, 18).boxed().toList());
        assertThat(registry.list(Optional.of("cnn")))
                .extracting(ModelVersion::job)
                .doesNotHaveDuplicates();
    }

    @Test
    void theSameJobAskedTwiceAtTheSameTimeGetsOneVersion() throws Exception {
        Path folder = trained("j1", "w");
        List<FolderModelRegistry> registries = List.of(registry, new FolderModelRegistry(home, clock));
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<ModelVersion>> published = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                FolderModelRegistry one = registries.get(i % 2);
                published.add(threads.submit(() -> one.publish(new JobId("j1"), "cnn", folder, Map.of())));
            }
            for (Future<ModelVersion> each : published) {
                assertThat(each.get().version()).isEqualTo(1);
            }
        }
    }

    @Test
    void a42_killedBeforeAnyStepTheNextTryEndsWithTheSameOneVersion() throws Exception {
        killBeforeEachStep(home, home.resolve("jobs/j1/model"));
    }

    @Test
    void a42_killedBeforeAnyStepOfACopyFromAnotherFileSystem() throws Exception {
        Path elsewhere = otherFileSystem();
        try {
            killBeforeEachStep(home, elsewhere.resolve("model"));
        } finally {
            delete(elsewhere);
        }
    }

    private void killBeforeEachStep(Path base, Path source) throws Exception {
        List<String> steps = new ArrayList<>();
        for (int step = 1; ; step++) {
            Path fresh = Files.createDirectories(base.resolve("home" + step));
            Files.createDirectories(source);
            Files.writeString(source.resolve("model.bin"), "weights");
            String died = publishInOwnProcess(fresh, source, step);
            FolderModelRegistry after = new FolderModelRegistry(fresh, clock);
            if (STAGED.contains(died)) {
                assertThat(after.unfinished()).as(died).containsExactly(new JobId("j1"));
            } else {
                assertThat(after.unfinished()).as(died).isEmpty();
            }
            List<ModelVersion> visible = after.list(Optional.empty());
            for (ModelVersion version : visible) {
                assertThat(after.verify("cnn", version.version()))
                        .as("what is visible is whole")
                        .isEmpty();
            }
            ModelVersion version = after.publish(new JobId("j1"), "cnn", source, Map.of());

            assertThat(version.version()).isEqualTo(1);
            assertThat(after.list(Optional.empty())).as("killed before " + died).containsExactly(version);
            assertThat(after.verify("cnn", 1)).isEmpty();
            assertThat(after.files("cnn", 1).orElseThrow().resolve("model.bin")).hasContent("weights");
            assertThat(source).doesNotExist();
            assertThat(fresh.resolve("models/.staging")).isEmptyDirectory();
            if (died.isEmpty()) {
                break;
            }
            steps.add(died);
        }
        assertThat(steps).contains("rename in", "seal", "write manifest", "rename out", "answer", "remove source");
    }

    /** The step before which the process died; empty when it came to its end. */
    private static String publishInOwnProcess(Path home, Path source, int step) throws Exception {
        Process process = java(ModelSteps.class, home.toString(), source.toString(), Integer.toString(step));
        String said = new String(process.getInputStream().readAllBytes()).strip();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(said.isEmpty() ? 0 : ModelSteps.DIED);
        return said;
    }

    private static Process java(Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** A new folder on another file system than the test's. */
    private Path otherFileSystem() throws IOException {
        Path folder = Files.createTempDirectory(Path.of("/dev/shm"), "muster-artifacts-test");
        assertThat(Files.getFileStore(folder)).isNotEqualTo(Files.getFileStore(home));
        return folder;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.toList().reversed()) {
                Files.delete(path);
            }
        }
    }

    private void assertCause(Cause cause, String message, Path folder) {
        assertThatThrownBy(() -> registry.publish(new JobId("j1"), "cnn", folder, Map.of()))
                .hasMessageContaining(message)
                .isInstanceOfSatisfying(
                        PublishException.class,
                        failed -> assertThat(failed.reasonCode()).isEqualTo(cause));
    }
}
