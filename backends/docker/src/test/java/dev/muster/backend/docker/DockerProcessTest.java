package dev.muster.backend.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.BackendKind;
import dev.muster.model.Cause;
import dev.muster.model.EnvironmentSpec;
import dev.muster.model.JobSpec;
import dev.muster.model.Member;
import dev.muster.model.Origin;
import dev.muster.model.Placement;
import dev.muster.model.Resources;
import dev.muster.model.RoleSpec;
import dev.muster.spi.Backend.StopHow;
import dev.muster.spi.BackendException;
import dev.muster.spi.Evidence;
import dev.muster.spi.Evidence.Doing;
import dev.muster.spi.Interpreter;
import dev.muster.spi.JobFolders;
import dev.muster.spi.Launch;
import dev.muster.spi.Rendered;
import dev.muster.spi.Sighting.Seen;
import dev.muster.testkit.Await;
import dev.muster.testkit.BackendTrial;
import dev.muster.testkit.Snapshots;
import dev.muster.testkit.TrialJob;
import dev.muster.testkit.WaitingProgram;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What only containers promise, on a real dockerd. */
@Tag("dockerd")
class DockerProcessTest extends BackendTrial {
    private final Snapshots snapshots = new Snapshots();

    @TempDir
    private Path folder;

    @Override
    protected DockerBackend open() {
        return new DockerBackend(TestDockerd.config(folders(), snapshots, DockerConfig.Files.AUTO));
    }

    @Override
    protected BackendKind kind() {
        return BackendKind.DOCKER;
    }

    @Override
    protected JobFolders folders() {
        return new JobFolders(folder.resolve("home"));
    }

    @Override
    protected Optional<String> image() {
        return Optional.of(DockerContract.BASE);
    }

    @Test
    void a25_whatProcessesOfAContainerDoIsSeenAndTheyGoOn() throws Exception {
        TrialJob job =
                job("").withArgv("python3", "-c", WaitingProgram.PYTHON).withEnv(Map.of("TOKEN", "no-secret-leaves"));
        start(job);
        awaitLog(job.key(0, 1), "ready");
        Evidence evidence = backend.evidence(job.key(0, 1));
        assertThat(evidence.processes())
                .hasSize(2)
                .allMatch(process -> process.program().startsWith("python3"));
        Doing main = evidence.processes().getFirst();
        assertThat(main.stack()).anyMatch(call -> call.startsWith("waits_here (<string>:"));
        assertThat(main.state()).isEqualTo('S');
        assertThat(main.cores()).isLessThan(0.5);
        assertThat(evidence.processes().get(1).cores()).isGreaterThan(0.5);
        try (Stream<Path> kept = Files.list(folders().evidence(job.key(0, 1)))) {
            List<Path> files = kept.toList();
            assertThat(files).hasSize(4);
            for (Path file : files) {
                assertThat(Files.readString(file)).doesNotContain("no-secret-leaves");
            }
        }
        awaitRunning(job.key(0, 1));
        backend.stop(job.key(0, 1), StopHow.KILL);
        assertThat(awaitEnd(job.key(0, 1)).code()).isEqualTo(137);
        assertThat(backend.evidence(job.key(0, 1))).isEqualTo(Evidence.NONE);
    }

    @Test
    void a25_aProcessOfAContainerThatIsStoppedIsSeenSo() throws Exception {
        TrialJob job = job("echo ready; kill -STOP $$");
        start(job);
        awaitLog(job.key(0, 1), "ready");
        Await.until(
                "it is stopped",
                soon(),
                () -> backend.evidence(job.key(0, 1)).processes().getFirst().state() == 'T');
    }

    private Optional<String> trouble(TrialJob job) throws Exception {
        return seen(job.key(0, 1)).flatMap(Seen::trouble);
    }

    @Test
    void aContainerThatIsPausedIsToldUntilItGoesOnAndCanBeEnded() throws Exception {
        TrialJob job = job("echo ready; while :; do sleep 0.1; done");
        start(job);
        awaitLog(job.key(0, 1), "ready");
        assertThat(trouble(job)).isEmpty();
        String name = Names.container(job.key(0, 1));
        TestRegistry.docker("pause", name);
        assertThat(trouble(job)).contains("its container is paused (docker unpause " + name + " lets it go on)");
        TestRegistry.docker("unpause", name);
        assertThat(trouble(job)).isEmpty();
        TestRegistry.docker("pause", name);
        backend.stop(job.key(0, 1), StopHow.ASK);
        backend.stop(job.key(0, 1), StopHow.KILL);
        assertThat(awaitEnd(job.key(0, 1)).code()).isEqualTo(137);
    }

    @Test
    void aContainerThatIsTakenOutOfItsNetworkIsTold() throws Exception {
        TrialJob job = job("echo ready; while :; do sleep 0.1; done");
        start(job);
        awaitLog(job.key(0, 1), "ready");
        String network = Names.network(job.id());
        TestRegistry.docker("network", "disconnect", "-f", network, Names.container(job.key(0, 1)));
        TestRegistry.docker("network", "rm", network);
        assertThat(trouble(job).orElseThrow()).contains("not in the group's network " + network);
        backend.stop(job.key(0, 1), StopHow.KILL);
        awaitEnd(job.key(0, 1));
        backend.sweep(job.key(0, 1));
        startAgain(job, place(job));
        awaitLog(job.key(0, 2), "ready");
        assertThat(seen(job.key(0, 2)).orElseThrow())
                .isInstanceOfSatisfying(
                        Seen.Running.class,
                        running -> assertThat(running.trouble()).isEmpty());
    }

    @Test
    void a11_theEnvironmentIsWhatWasRenderedAndWhatDockerdAdds() throws Exception {
        Map<String, String> env = new TreeMap<>();
        for (String name : List.of(
                "PWD",
                "OLDPWD",
                "SHLVL",
                "_",
                "IFS",
                "OPTIND",
                "UID",
                "PPID",
                "ENV",
                "BASH_ENV",
                "PS1",
                "FOO.BAR",
                "with-dash",
                "1ST",
                "модель",
                "BASH_FUNC_f%%",
                "code",
                "stat",
                "main")) {
            env.put(name, "value of\n" + name + " = 'x'");
        }
        env.put("EMPTY", "");
        TrialJob job = job("").withArgv("sleep", "600").withEnv(env).withSecrets(Map.of("TOKEN", "a'b\nc"));
        Placement placement = start(job);
        Rendered rendered = backend.render(job.launch(0, 1, placement, "/"));
        awaitRunning(job.key(0, 1));
        List<String> expected = new ArrayList<>();
        rendered.env().forEach((name, value) -> expected.add(name + "=" + value));
        long program = Await.value(
                "the program runs",
                soon(),
                () -> processesOf(job.id()).stream()
                        .filter(pid -> commandLine(pid).equals("sleep\000600\000"))
                        .findFirst());
        String environ = Files.readString(Path.of("/proc/" + program + "/environ"), StandardCharsets.UTF_8);
        List<String> seen = new ArrayList<>(Arrays.asList(environ.split("\0", -1)));
        seen.removeIf(entry -> entry.isEmpty() || entry.startsWith("HOSTNAME=") || entry.startsWith("HOME="));
        assertThat(seen).containsExactlyInAnyOrderElementsOf(expected);
    }

    private static String commandLine(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/cmdline"));
        } catch (IOException gone) {
            return "";
        }
    }

    @Test
    void b19_anImageThatCannotBePulledIsNamedAfterABoundedNumberOfTries() {
        TrialJob job = job("exit 0").withImage("127.0.0.1:1/nosuch/image:1");
        List<String> told = new ArrayList<>();
        assertThatThrownBy(() -> backend.prepare(job.id(), job.spec(), job.origin(), told::add))
                .isInstanceOfSatisfying(BackendException.class, missing -> {
                    assertThat(missing.kind()).isEqualTo(BackendException.Kind.REFUSED);
                    assertThat(missing.reasonCode()).isEqualTo(Cause.IMAGE_MISSING);
                    assertThat(missing)
                            .hasMessageContaining("127.0.0.1:1/nosuch/image:1")
                            .hasMessageContaining("3 tries");
                });
        assertThat(told)
                .filteredOn(line -> line.equals("pulling image 127.0.0.1:1/nosuch/image:1"))
                .hasSize(3);
    }

    @Test
    @Timeout(180)
    void b19_anImageIsPulledFromItsRegistryAndOneThatIsNotThereIsNotAskedForAgain() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        TestRegistry registry = new TestRegistry(folder, port);
        try {
            String image = registry.push("muster-test/busybox:1", "group/pulled:1");
            List<String> told = new ArrayList<>();
            TrialJob job = job("echo pulled").withImage(image);
            backend.prepare(job.id(), job.spec(), job.origin(), told::add);
            assertThat(told).first().isEqualTo("pulling image " + image);
            start(job);
            assertThat(awaitEnd(job.key(0, 1)).code()).isZero();
            assertThat(log(job.key(0, 1))).isEqualTo("pulled\n");
            told.clear();
            backend.prepare(job.id(), job.spec(), job.origin(), told::add);
            assertThat(told).as("it is there").isEmpty();
            TrialJob missing = job("exit 0").withImage("127.0.0.1:" + port + "/group/missing:1");
            assertThatThrownBy(() -> backend.prepare(missing.id(), missing.spec(), missing.origin(), told::add))
                    .isInstanceOf(BackendException.class)
                    .hasMessageContaining("group/missing:1");
            assertThat(told).as("no second try").hasSize(1);
            backend.remove(job.id());
            TestRegistry.docker("rmi", image);
        } finally {
            registry.close();
        }
    }

    @Test
    void busyboxIsEnough() throws Exception {
        TrialJob job = job("trap 'echo asked; exit 4' TERM; echo \"$FOO\"; while :; do sleep 0.1; done")
                .withEnv(Map.of("FOO", "a b", "FOO.BAR", "c"))
                .withImage("muster-test/busybox:1");
        start(job);
        awaitLog(job.key(0, 1), "a b");
        backend.stop(job.key(0, 1), dev.muster.spi.Backend.StopHow.ASK);
        assertThat(awaitEnd(job.key(0, 1)).code()).isEqualTo(4);
        assertThat(log(job.key(0, 1))).isEqualTo("a b\nasked\n");
    }

    @Test
    void b48_deadChildrenDoNotPileUp() throws Exception {
        TrialJob job = job("for i in 1 2 3 4 5 6 7 8; do (sleep 0.1 & exec sleep 0.05) & done; sleep 1; echo ready;"
                + " while [ ! -e \"$MUSTER_CONTROL_DIR/stop\" ]; do sleep 0.05; done;"
                + " for f in /proc/[0-9]*/stat; do read -r pid name state rest <\"$f\"; echo \"state $state\"; done");
        start(job);
        awaitLog(job.key(0, 1), "ready");
        letGo(job);
        awaitEnd(job.key(0, 1));
        assertThat(log(job.key(0, 1))).contains("state S").doesNotContain("state Z");
    }

    @Test
    void aStrangersContainerOfTheSameNameIsLeftAlone() throws Exception {
        TrialJob job = job("exit 0");
        Placement placement = place(job);
        String name = Names.container(job.key(0, 1));
        TestRegistry.docker("create", "--name", name, DockerContract.BASE, "true");
        try {
            assertThatThrownBy(() -> backend.start(job.launch(0, 1, placement, "/")))
                    .isInstanceOfSatisfying(BackendException.class, refused -> {
                        assertThat(refused.kind()).isEqualTo(BackendException.Kind.REFUSED);
                        assertThat(refused).hasMessageContaining(name);
                    });
            assertThat(backend.observe(job.id())).isEmpty();
            backend.stop(job.key(0, 1), dev.muster.spi.Backend.StopHow.KILL);
            backend.remove(job.id());
            TestRegistry.docker("inspect", name);
        } finally {
            TestRegistry.docker("rm", "-f", name);
        }
    }

    /** What an administrator starts again does not train a second time, and changes nothing. */
    @Test
    void a12_aContainerThatIsStartedAgainByHandRunsNothing() throws Exception {
        TrialJob job = job("echo once; exit 3");
        start(job);
        Seen.Ended end = awaitEnd(job.key(0, 1));
        TestRegistry.docker("start", Names.container(job.key(0, 1)));
        assertThat(awaitEnd(job.key(0, 1))).isEqualTo(end);
        TestRegistry.docker("wait", Names.container(job.key(0, 1)));
        assertThat(log(job.key(0, 1))).isEqualTo("once\n");
    }

    @Test
    void gpusOfOneDockerdAreGivenOnceAmongAllServices() throws Exception {
        Resources oneGpu = new Resources(OptionalInt.empty(), OptionalLong.empty(), 1);
        TrialJob two = job("exit 0").withWorkers(2).withResources(oneGpu);
        TrialJob third = job("exit 0").withResources(oneGpu);
        JobFolders other = new JobFolders(folder.resolve("other"));
        try (DockerBackend here = new DockerBackend(TestDockerd.config(folders(), snapshots, DockerConfig.Files.AUTO)
                        .withGpus(List.of("7", "8")));
                DockerBackend there = new DockerBackend(TestDockerd.config(other, snapshots, DockerConfig.Files.AUTO)
                        .withGpus(List.of("7", "8")))) {
            Placement placement = here.place(two.id(), 1, two.spec(), two.plan());
            assertThat(placement.gpus()).isEqualTo(Map.of(new Member("worker", 0), "7", new Member("worker", 1), "8"));
            assertThatThrownBy(() -> there.place(third.id(), 1, third.spec(), third.plan()))
                    .isInstanceOf(BackendException.class)
                    .hasMessageContaining("0 of 2 are free");
            here.release(two.id());
            assertThat(there.place(third.id(), 1, third.spec(), third.plan())
                            .gpus()
                            .values())
                    .containsExactly("7");
            there.remove(third.id());
        }
    }

    @Test
    void a45_whoLeavesGivesItsGpusBackAndWhoComesIsGivenItsOwn() throws Exception {
        Resources oneGpu = new Resources(OptionalInt.empty(), OptionalLong.empty(), 1);
        TrialJob one = job("exit 0").withElastic(1, 2).withResources(oneGpu);
        TrialJob two = one.withWorkers(2);
        TrialJob stranger = job("exit 0").withResources(oneGpu);
        try (DockerBackend machine = new DockerBackend(TestDockerd.config(folders(), snapshots, DockerConfig.Files.AUTO)
                .withGpus(List.of("7", "8")))) {
            Map<Member, String> ofTwo = Map.of(new Member("worker", 0), "7", new Member("worker", 1), "8");
            assertThat(machine.place(two.id(), 1, two.spec(), two.plan()).gpus())
                    .isEqualTo(ofTwo);
            assertThat(machine.place(one.id(), 1, one.spec(), one.plan()).gpus())
                    .isEqualTo(Map.of(new Member("worker", 0), "7"));
            assertThat(machine.place(stranger.id(), 1, stranger.spec(), stranger.plan())
                            .gpus()
                            .values())
                    .containsExactly("8");
            assertThatThrownBy(() -> machine.place(two.id(), 1, two.spec(), two.plan()))
                    .isInstanceOf(BackendException.class)
                    .hasMessageContaining("asks for 1 GPUs, 0 of 2 are free");
            machine.release(stranger.id());
            assertThat(machine.place(two.id(), 1, two.spec(), two.plan()).gpus())
                    .isEqualTo(ofTwo);
            machine.release(two.id());
        }
    }

    /** No index is reached: pip itself is required, which is there. */
    @Test
    @Timeout(180)
    void requirementsAreInstalledOnceForAnImage() throws Exception {
        TrialJob plain = job("").withArgv("python3", "-c", "import sys; print(sys.prefix)");
        JobSpec spec = withRequirements(plain.spec());
        Origin origin = new Origin(
                "tester", "/", Optional.empty(), Optional.empty(), "", Map.of("requirements.txt", "pip>=1\n"));
        List<String> told = new ArrayList<>();
        backend.prepare(plain.id(), spec, origin, told::add);
        backend.prepare(plain.id(), spec, origin, told::add);
        assertThat(told).filteredOn(line -> line.startsWith("installing")).hasSizeLessThanOrEqualTo(1);
        Placement placement = backend.place(plain.id(), 1, spec, plain.plan());
        Launch launch = plain.launch(0, 1, placement, "/");
        backend.start(new Launch(
                launch.key(),
                launch.plan(),
                spec,
                placement,
                Interpreter.NONE,
                Optional.empty(),
                "/",
                Optional.empty(),
                Map.of(),
                "",
                ""));
        assertThat(awaitEnd(plain.key(0, 1)).code()).isEqualTo(0);
        Origin wrong = new Origin(
                "tester",
                "/",
                Optional.empty(),
                Optional.empty(),
                "",
                Map.of("requirements.txt", "--no-index\nno-such-thing\n"));
        assertThatThrownBy(() -> backend.prepare(plain.id(), spec, wrong, told::add))
                .isInstanceOf(BackendException.class)
                .hasMessageContaining("no-such-thing");
    }

    private static JobSpec withRequirements(JobSpec spec) {
        RoleSpec worker = spec.role("worker");
        EnvironmentSpec.Python python =
                new EnvironmentSpec.Python(Optional.of("requirements.txt"), Optional.empty(), false);
        RoleSpec role = new RoleSpec(
                worker.count(),
                worker.sidecar(),
                worker.command(),
                worker.env(),
                worker.resources(),
                new EnvironmentSpec(Optional.of(python), worker.environment().image()));
        return new JobSpec(
                spec.name(),
                spec.framework(),
                spec.backend(),
                Map.of("worker", role),
                1,
                spec.code(),
                spec.secrets(),
                spec.data(),
                spec.model(),
                spec.checkpoints(),
                spec.success(),
                spec.restart(),
                spec.elastic(),
                0,
                spec.limits(),
                spec.queue(),
                spec.priority(),
                spec.suspended(),
                spec.keep(),
                spec.options());
    }
}
