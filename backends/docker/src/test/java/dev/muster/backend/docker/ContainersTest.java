package dev.muster.backend.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.BackendKind;
import dev.muster.model.JobId;
import dev.muster.model.Join;
import dev.muster.model.Member;
import dev.muster.model.Options;
import dev.muster.model.Placement;
import dev.muster.model.Resources;
import dev.muster.spi.JobFolders;
import dev.muster.spi.Launch;
import dev.muster.spi.Rendered;
import dev.muster.testkit.Snapshots;
import dev.muster.testkit.TrialJob;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** What a container is made from, as dockerd is told. */
class ContainersTest {
    private static final TrialJob JOB = TrialJob.script(new JobId("j1"), BackendKind.DOCKER, "exit 0")
            .withImage("registry/name:tag")
            .withWorkers(2)
            .withPorts("a");

    @TempDir
    private Path home;

    private JsonNode body(TrialJob job, Map<Member, String> gpus) throws Exception {
        Placement placement = Networks.sample(job.plan(), gpus);
        Launch launch = job.launch(1, 2, placement, "/");
        Rendered rendered = new Renderer(launch, ImageFacts.UNKNOWN, new JobFolders(home)).render();
        ArrayNode mounts = DockerApi.object().putArray("mounts");
        return new Containers("home1")
                .body(
                        launch,
                        rendered,
                        Optional.empty(),
                        new MountedFiles(new JobFolders(home), new Snapshots()),
                        mounts);
    }

    private static List<String> texts(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false)
                .map(JsonNode::asString)
                .toList();
    }

    @Test
    void b05_aMemberHasItsNameInEveryAttempt() throws Exception {
        JsonNode body = body(JOB, Map.of());
        assertThat(body.path("Hostname").asString()).isEqualTo("worker-1");
        assertThat(texts(body.at("/NetworkingConfig/EndpointsConfig/muster-j1/Aliases")))
                .containsExactly("worker-1");
        assertThat(Names.container(JOB.key(1, 2))).isEqualTo("j1-worker-1-a2");
        assertThat(body.at("/HostConfig/Init").asBoolean()).isTrue();
        assertThat(body.path("Labels").path(Names.HOME).asString()).isEqualTo("home1");
        assertThat(Names.key(body.path("Labels"))).contains(JOB.key(1, 2));
    }

    @Test
    void limitsAreTheEnginesOwn() throws Exception {
        Options options = new Options(
                false,
                false,
                false,
                "127.0.0.1",
                Optional.empty(),
                Optional.of(new Options.Docker(
                        OptionalLong.of(1L << 30), List.of("/data:/images:ro"), Optional.of("runsc"))),
                Optional.empty());
        TrialJob job = JOB.withOptions(options)
                .withResources(new Resources(OptionalInt.of(1500), OptionalLong.of(2L << 30), 2));
        JsonNode host = body(job, Map.of(new Member("worker", 1), "2,3")).path("HostConfig");
        assertThat(host.path("NanoCpus").asLong()).isEqualTo(1_500_000_000L);
        assertThat(host.path("Memory").asLong()).isEqualTo(2L << 30);
        assertThat(host.path("MemorySwap").asLong()).as("no swap besides").isEqualTo(2L << 30);
        assertThat(host.path("ShmSize").asLong()).isEqualTo(1L << 30);
        assertThat(host.path("Runtime").asString()).isEqualTo("runsc");
        assertThat(host.path("Mounts").get(0).toString())
                .isEqualTo("{\"Type\":\"bind\",\"Source\":\"/data\",\"Target\":\"/images\",\"ReadOnly\":true}");
        assertThat(host.path("DeviceRequests").toString())
                .isEqualTo("[{\"Driver\":\"nvidia\",\"DeviceIDs\":[\"2\",\"3\"],\"Capabilities\":[[\"gpu\"]]}]");
    }

    @Test
    void whoAsksForNoGpuIsGivenNone() throws Exception {
        assertThat(body(JOB, Map.of()).path("HostConfig").has("DeviceRequests")).isFalse();
    }

    @Test
    void b56_variablesThatAShellWouldChangeGoPastIt() throws Exception {
        Map<String, String> env = new TreeMap<>(Map.of("FOO.BAR", "a b", "PWD", "/x", "PLAIN", "l1\nl2", "IFS", "-"));
        JsonNode body = body(JOB.withEnv(env), Map.of());
        assertThat(texts(body.path("Env"))).contains("PLAIN=l1\nl2").noneMatch(entry -> entry.startsWith("FOO."));
        assertThat(texts(body.path("Entrypoint")))
                .containsSubsequence("/bin/sh", "-c", "muster", "FOO.BAR=a b", "IFS=-", "PWD=/x", "sh", "-c", "exit 0");
    }

    @Test
    void signsOfJoiningSurviveTheService() throws Exception {
        TrialJob connects = JOB.withJoin(new Join.Connected(new Member("worker", 0), "a"));
        assertThat(body(connects, Map.of()).path("Labels").path(Names.JOIN).asString())
                .isEqualTo("connected 20000");
        assertThat(body(JOB, Map.of()).path("Labels").path(Names.JOIN).asString())
                .isEqualTo("started");
    }

    @Test
    void whatAMemberHoldsIsReadFromItsLabel() {
        for (Map.Entry<Member, String> held :
                List.of(Map.entry(new Member("worker", 0), "0,1"), Map.entry(new Member("my-role", 10), "GPU-1-2"))) {
            assertThat(Gpus.read(Gpus.write(held.getKey(), held.getValue()))).contains(held);
        }
        assertThat(Gpus.read("")).isEmpty();
        assertThat(Gpus.read("no label of ours")).isEmpty();
    }

    /** A checkpoint of the job is where the job's are; another one is brought, under a name that restores take. */
    @Test
    void whatIsResumedFromIsNamedAsTheProcessFindsIt() {
        JobFolders folders = new JobFolders(home);
        Launch fresh = JOB.launch(0, 1, Networks.sample(JOB.plan(), Map.of()), "/");
        assertThat(ResumePoint.of(folders, fresh)).isEmpty();
        Path own = folders.checkpoints(JOB.id()).resolve("ckpt-12");
        assertThat(ResumePoint.of(folders, resuming(fresh, own)))
                .get()
                .extracting(ResumePoint::inside)
                .isEqualTo("/muster/checkpoints/ckpt-12");
        assertThat(ResumePoint.of(folders, resuming(fresh, Path.of("/old/run/ckpt-3"))))
                .get()
                .satisfies(point -> {
                    assertThat(point.own()).isFalse();
                    assertThat(point.inside()).isEqualTo("/muster/resume/ckpt-3");
                });
    }

    private static Launch resuming(Launch launch, Path from) {
        return new Launch(
                launch.key(),
                launch.plan(),
                launch.spec(),
                launch.placement(),
                launch.python(),
                launch.codeDigest(),
                launch.folder(),
                Optional.of(from.toString()),
                launch.secrets(),
                launch.path(),
                launch.owner());
    }
}
