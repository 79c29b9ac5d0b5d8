package dev.muster.backend.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.frameworks.Frameworks;
import dev.muster.model.BackendKind;
import dev.muster.model.FrameworkKind;
import dev.muster.model.Placement;
import dev.muster.model.ProcessKey;
import dev.muster.spi.Backend.StopHow;
import dev.muster.spi.Framework;
import dev.muster.spi.JobFolders;
import dev.muster.testkit.Ability;
import dev.muster.testkit.BackendTck;
import dev.muster.testkit.Snapshots;
import dev.muster.testkit.TrialJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of every backend on a real dockerd, whichever way files take. */
@Tag("dockerd")
abstract class DockerContract extends BackendTck {
    static final String BASE = "muster-test/base:1";

    private final Snapshots snapshots = new Snapshots();

    @TempDir
    private Path folder;

    abstract DockerConfig.Files files();

    final DockerConfig config() {
        return TestDockerd.config(folders(), snapshots, files());
    }

    final DockerApi api() {
        return new DockerApi(DockerAddress.of(TestDockerd.host()));
    }

    @Override
    protected DockerBackend open() {
        return new DockerBackend(config());
    }

    @Override
    protected BackendKind kind() {
        return BackendKind.DOCKER;
    }

    @Override
    protected Framework framework(FrameworkKind kind) {
        return Frameworks.of(kind);
    }

    @Override
    protected JobFolders folders() {
        return new JobFolders(folder.resolve("home"));
    }

    @Override
    protected Optional<String> image() {
        return Optional.of(BASE);
    }

    @Override
    protected String snapshot(Map<String, String> files) {
        return snapshots.add(files);
    }

    @Override
    protected Set<Ability> declines() {
        return EnumSet.of(Ability.NETWORK_BLOCK, Ability.REMOTE_DATA);
    }

    @Override
    protected Optional<Outage> outage() {
        return Optional.of(TestDockerd.outage());
    }

    @Override
    protected void removeByForce(ProcessKey key) throws Exception {
        api().delete("/containers/" + Names.container(key) + "?force=1&v=1");
    }

    @Test
    void whatAnEarlierAttemptWasToldIsNotSeenByTheNext() throws Exception {
        TrialJob job = job("while [ ! -e \"$MUSTER_CONTROL_DIR/stop\" ]; do sleep 0.05; done; echo told");
        Placement placement = start(job);
        awaitRunning(job.key(0, 1));
        letGo(job);
        awaitEnd(job.key(0, 1));
        Files.delete(folders().control(job.id()).resolve("stop"));
        restarted();
        startAgain(job, placement);
        awaitRunning(job.key(0, 2));
        Files.writeString(folders().control(job.id()).resolve("other"), "of the service");
        TrialJob looks = job("exit 0");
        start(looks);
        awaitEnd(looks.key(0, 1));
        assertThat(log(job.key(0, 2))).isEmpty();
        letGo(job);
        assertThat(awaitEnd(job.key(0, 2)).code()).isZero();
        assertThat(log(job.key(0, 2))).isEqualTo("told\n");
    }

    /** As when a service dies between the two: the next one that starts the attempt goes on where it was broken off. */
    @Test
    void whoWasGivenANameAndNoOrderIsHeldReadyUntilTheStartIsAskedForAgain() throws Exception {
        TrialJob job = twoWorkers();
        Placement placement = placeAll(job);
        holdReady(job, 1, placement);
        rename(held(job, 1), job.key(0, 2));
        restarted();
        backend.prepare(job.id(), job.spec(), job.origin(), line -> {});
        assertThat(seen(job.key(0, 2))).isEmpty();
        awaitRunning(held(job, 1));
        backend.start(job.launch(0, 2, placement, "/"));
        awaitLog(job.key(0, 2), "was told by worker 0 of attempt 2");
        assertThat(log(job.key(0, 2))).startsWith("ready ");
        assertThat(awaitEnd(held(job, 1)).code()).isZero();

        holdReady(job, 2, placement);
        rename(held(job, 2), job.key(1, 2));
        backend.stop(held(job, 2), StopHow.KILL);
        assertThat(awaitEnd(held(job, 2)).code()).isEqualTo(137);
        backend.start(job.launch(1, 2, placement, "/"));
        awaitLog(job.key(1, 2), "was told by worker 0 of attempt 2");
        assertThat(log(job.key(1, 2))).startsWith("anew ");
        assertThat(awaitEnd(held(job, 2)).code()).isEqualTo(137);
    }

    private void rename(ProcessKey from, ProcessKey to) throws Exception {
        api().post("/containers/" + Names.container(from) + "/rename?name=" + Names.container(to), null);
    }
}
