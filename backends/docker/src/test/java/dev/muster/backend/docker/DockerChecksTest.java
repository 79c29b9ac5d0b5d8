package dev.muster.backend.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.BackendKind;
import dev.muster.model.JobId;
import dev.muster.model.Options;
import dev.muster.model.Problem;
import dev.muster.model.Resources;
import dev.muster.spi.JobFolders;
import dev.muster.testkit.Snapshots;
import dev.muster.testkit.TrialJob;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DockerChecksTest {
    private static final TrialJob JOB =
            TrialJob.script(new JobId("j1"), BackendKind.DOCKER, "exit 0").withImage("registry/name:tag");

    private static List<Problem> check(TrialJob job) {
        return new DockerChecks(List.of(Path.of("/data")), Set.of("runc", "nvidia")).check(job.spec());
    }

    private static TrialJob with(List<String> mounts, Optional<String> runtime) {
        Options.Docker block = new Options.Docker(OptionalLong.empty(), mounts, runtime);
        return JOB.withOptions(
                new Options(false, false, false, "127.0.0.1", Optional.empty(), Optional.of(block), Optional.empty()));
    }

    @Test
    void theBlockOfAnotherBackendDoesNoHarm() {
        assertThat(check(JOB.withOptions(new Options(
                        false,
                        false,
                        false,
                        "127.0.0.1",
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(Map.of("namespace", "x"))))))
                .isEmpty();
    }

    @Test
    void onlyFoldersOfTheListMayBeMounted() {
        assertThat(check(with(List.of("/data/images:/images:ro", "/data:/all"), Optional.empty())))
                .isEmpty();
        for (String mount : List.of("/:/host", "/database:/x", "/data/../etc:/x", "/etc/shadow:/x:ro")) {
            assertThat(check(with(List.of(mount), Optional.empty())))
                    .as(mount)
                    .singleElement()
                    .satisfies(problem -> {
                        assertThat(problem.field()).isEqualTo("docker.mounts");
                        assertThat(problem.message())
                                .contains("may not be mounted")
                                .contains("/data");
                        assertThat(problem.suggestion()).isPresent();
                    });
        }
        assertThat(check(with(List.of("/data:/muster/code"), Optional.empty())))
                .singleElement()
                .satisfies(problem -> assertThat(problem.message()).contains("Muster's own"));
    }

    @Test
    void aRuntimeThatIsNotThereIsRefusedWithThoseThatAre() {
        assertThat(check(with(List.of(), Optional.of("nvidia")))).isEmpty();
        assertThat(check(with(List.of(), Optional.of("kata"))))
                .singleElement()
                .satisfies(problem ->
                        assertThat(problem.message()).contains("kata").contains("nvidia"));
    }

    @Test
    void b18_withoutADockerdAJobIsRefusedSayingWhatToDo(@TempDir Path folder) {
        DockerConfig config = DockerConfig.of(
                new JobFolders(folder),
                new Snapshots(),
                Map.of("DOCKER_HOST", "unix://" + folder.resolve("no.sock")),
                () -> "name");
        try (DockerBackend backend = new DockerBackend(config)) {
            assertThat(backend.check(JOB.spec())).singleElement().satisfies(problem -> {
                assertThat(problem.field()).isEqualTo("backend");
                assertThat(problem.message()).contains("no.sock");
                assertThat(problem.suggestion().orElseThrow())
                        .contains("start dockerd")
                        .contains("DOCKER_HOST");
            });
        }
    }

    @Test
    void whereThereNeverWasAJobNothingIsAskedOfADockerd(@TempDir Path folder) throws Exception {
        DockerConfig config = DockerConfig.of(
                new JobFolders(folder),
                new Snapshots(),
                java.util.Map.of("DOCKER_HOST", "unix://" + folder.resolve("no.sock")),
                () -> "name");
        try (DockerBackend backend = new DockerBackend(config)) {
            assertThat(backend.jobs()).isEmpty();
            assertThat(backend.observe(new JobId("j1"))).isEmpty();
            backend.remove(new JobId("j1"));
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void anAddressThatIsNotSpokenIsToldWithAWayOut() {
        assertThat(DockerAddress.of("ssh://host").unusable().orElseThrow()).contains("ssh -nNT -L");
        assertThat(DockerAddress.of("").toString()).isEqualTo("unix:///var/run/docker.sock");
        assertThat(DockerAddress.of("tcp://10.0.0.1:2375").unusable()).isEmpty();
    }

    @Test
    void nobodyIsHeldReadyForAProcessWithGpus() {
        TrialJob ready = JOB.withArgv("python3", "train.py").withStandby(1);
        assertThat(check(ready)).isEmpty();
        assertThat(check(ready.withResources(new Resources(OptionalInt.empty(), OptionalLong.empty(), 1))))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.field()).isEqualTo("standby");
                    assertThat(problem.message()).contains("GPUs");
                });
    }
}
