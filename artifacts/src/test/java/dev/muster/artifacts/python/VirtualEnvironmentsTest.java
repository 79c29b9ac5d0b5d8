package dev.muster.artifacts.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.formats.files.Folders;
import dev.muster.model.EnvironmentSpec;
import dev.muster.model.Origin;
import dev.muster.spi.Interpreter;
import dev.muster.spi.PythonEnvironments.EnvironmentException;
import dev.muster.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class VirtualEnvironmentsTest {
    @TempDir
    static Path shared;

    /** The Python of a whole environment, built once: it has pip whatever the machine's Python has. */
    private static Path python;

    @TempDir
    Path home;

    private Path packages;
    private Path quick;
    private Instant now = Instant.EPOCH;
    private final LinkedBlockingQueue<Runnable> background = new LinkedBlockingQueue<>();
    private final List<String> progress = Collections.synchronizedList(new ArrayList<>());
    private VirtualEnvironments environments;

    @BeforeAll
    static void buildOneWhole() throws Exception {
        Path packages = Files.createDirectories(shared.resolve("packages"));
        TestPython.wheel(packages, "alpha", "1.0", "from a wheel");
        VirtualEnvironments environments = new VirtualEnvironments(
                shared.resolve("home"), () -> Instant.EPOCH, TestPython.variables(packages), task -> {});
        Interpreter built = environments.prepare(
                TestPython.with(Optional.of("r.txt"), Optional.empty(), false),
                TestPython.origin(TestPython.onPath(), Map.of("r.txt", "alpha\n")),
                line -> {});
        python = Path.of(built.python().orElseThrow());
    }

    @BeforeEach
    void open() throws IOException {
        packages = Files.createDirectories(home.resolve("packages"));
        TestPython.wheel(packages, "beta", "1.0", "one");
        TestPython.wheel(packages, "beta", "2.0", "two");
        quick = TestPython.withoutEnsurepip(home.resolve("quick"), python);
        environments = restarted();
    }

    /** Before JUnit does, which warns about every link to the machine's Python. */
    @AfterEach
    void remove() throws IOException {
        Folders.delete(home.resolve("envs"));
    }

    @AfterAll
    static void removeWhole() throws IOException {
        Folders.delete(shared.resolve("home"));
    }

    private VirtualEnvironments restarted() {
        return new VirtualEnvironments(home, () -> now, TestPython.variables(packages), background::add);
    }

    private EnvironmentSpec requirements() {
        return TestPython.with(Optional.of("r.txt"), Optional.of(quick.toString()), false);
    }

    private Origin origin(String requirements) {
        return TestPython.origin(python, Map.of("r.txt", requirements));
    }

    private Interpreter prepare(String requirements) throws EnvironmentException {
        return environments.prepare(requirements(), origin(requirements), progress::add);
    }

    private static String run(Interpreter interpreter, String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("PATH", String.join(":", interpreter.path()) + ":/usr/bin:/bin");
        builder.environment().putAll(interpreter.env());
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes()).strip();
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    private List<String> folders() throws IOException {
        try (Stream<Path> all = Files.list(home.resolve("envs"))) {
            return all.filter(Files::isDirectory)
                    .map(path -> path.getFileName().toString())
                    .toList();
        }
    }

    @Test
    void aWholeEnvironmentHasItsPackagesAndPip() throws Exception {
        String said = run(
                new Interpreter(
                        Optional.of(python.toString()),
                        List.of(python.getParent().toString()),
                        Map.of()),
                "sh",
                "-c",
                "python -c 'import alpha; print(alpha.value)'; python3 -m pip --version");
        assertThat(said).contains("from a wheel").contains("pip ");
    }

    @Test
    void theEnvironmentIsLocatedBeforeItIsBuiltAndBuiltOnce() throws Exception {
        Interpreter located = environments.locate(requirements(), origin("beta==1.0"));
        assertThat(Path.of(located.python().orElseThrow())).doesNotExist().startsWithRaw(home.resolve("envs"));

        assertThat(prepare("beta==1.0")).isEqualTo(located);
        assertThat(run(located, "sh", "-c", "python -c 'import beta; print(beta.value)'"))
                .isEqualTo("one");
        assertThat(run(located, "sh", "-c", "python3 -c 'import sys; print(sys.prefix)'"))
                .isEqualTo(located.env().get("VIRTUAL_ENV"));
        assertThat(progress).anySatisfy(line -> assertThat(line).isEqualTo("installing 1 package: beta"));
        assertThat(progress.getLast()).isEqualTo("the environment is ready");

        progress.clear();
        environments = restarted();
        assertThat(prepare("beta==1.0")).isEqualTo(located);
        assertThat(progress).isEmpty();
    }

    @Test
    void whateverDecidesTheContentDecidesTheKey() throws Exception {
        Path other = TestPython.script(home.resolve("other/python3"), "exec '" + python + "' \"$@\"\n");
        EnvironmentSpec plain = TestPython.with(
                Optional.of("r.txt"), Optional.of(TestPython.onPath().toString()), false);
        EnvironmentSpec system = TestPython.with(
                Optional.of("r.txt"), Optional.of(TestPython.onPath().toString()), true);
        List<Interpreter> different = List.of(
                environments.locate(plain, origin("beta==1.0")),
                environments.locate(system, origin("beta==1.0")),
                environments.locate(requirements(), origin("beta==1.0")),
                environments.locate(requirements(), origin("beta==2.0")),
                environments.locate(
                        TestPython.with(Optional.of("r.txt"), Optional.of(quick.toString()), true),
                        origin("beta==1.0")),
                environments.locate(
                        TestPython.with(Optional.empty(), Optional.of(quick.toString()), false), origin("beta==1.0")),
                environments.locate(
                        TestPython.with(Optional.of("r.txt"), Optional.of(other.toString()), false),
                        origin("beta==1.0")));
        assertThat(different).doesNotHaveDuplicates();
        EnvironmentSpec renamed = TestPython.with(Optional.of("reqs.txt"), Optional.of(quick.toString()), false);
        assertThat(environments.locate(renamed, TestPython.origin(python, Map.of("reqs.txt", "beta==1.0"))))
                .as("what the file is called does not count")
                .isEqualTo(environments.locate(requirements(), origin("beta==1.0")));
    }

    @Test
    void aRequirementThatFailsIsNamedAndNothingIsLeft() throws Exception {
        assertThatThrownBy(() -> prepare("beta\nnosuchpackage==9\n"))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("'nosuchpackage==9'")
                .hasMessageContaining(".log");
        assertThat(folders()).isEmpty();
        try (Stream<Path> all = Files.list(home.resolve("envs"))) {
            Path log = all.filter(path -> path.toString().endsWith(".log"))
                    .findFirst()
                    .orElseThrow();
            assertThat(log).content().contains("nosuchpackage==9").contains("ERROR:");
        }
        assertThatThrownBy(() -> prepare("beta==3.0"))
                .hasMessageContaining("'beta==3.0'")
                .hasMessageContaining("2.0");
        assertThatThrownBy(() -> prepare("beta=>1"))
                .hasMessageContaining("beta=>1")
                .hasMessageContaining("pip's form");
        assertThatThrownBy(() -> prepare("beta==1.0 --hash=sha256:" + "0".repeat(64)))
                .hasMessageContaining("'beta==1.0'")
                .hasMessageContaining("hash");
        TestPython.source(packages, "gamma", "raise SystemExit('no compiler here')");
        assertThatThrownBy(() -> prepare("gamma"))
                .hasMessageContaining("'gamma'")
                .hasMessageContaining("built from source");
        assertThat(folders()).isEmpty();
    }

    @Test
    void twoServicesBuildItOnceAndBothGetIt() throws Exception {
        VirtualEnvironments other = restarted();
        List<String> heard = Collections.synchronizedList(new ArrayList<>());
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Interpreter>> prepared = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                VirtualEnvironments one = i % 2 == 0 ? environments : other;
                prepared.add(threads.submit(() -> one.prepare(requirements(), origin("beta==1.0"), heard::add)));
            }
            for (Future<Interpreter> each : prepared) {
                assertThat(each.get()).isEqualTo(prepared.getFirst().get());
            }
        }
        assertThat(heard.stream().filter(line -> line.startsWith("making"))).hasSize(1);
        assertThat(heard).anySatisfy(line -> assertThat(line).contains("waiting for another job"));
    }

    @Test
    void cancelInTheMiddleEndsPipAndLeavesNothing() throws Exception {
        Path started = home.resolve("started");
        TestPython.source(
                packages,
                "slow",
                "import os, time\nopen('" + started + "', 'w').write(str(os.getpid()))\ntime.sleep(600)");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Interpreter> build = threads.submit(() -> prepare("slow"));
            ProcessHandle builder = startedProcess(started);
            threads.shutdownNow();
            assertThatThrownBy(() -> build.get(30, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(EnvironmentException.class)
                    .hasMessageContaining("stopped");
            builder.onExit().get(30, TimeUnit.SECONDS);
        }
        assertThat(folders()).isEmpty();
    }

    @Test
    void aServiceKilledInTheMiddleLeavesNothingThatIsUsed() throws Exception {
        Path started = home.resolve("started");
        Path go = home.resolve("go");
        TestPython.source(
                packages,
                "slow",
                "import os, time\nopen('" + started + "', 'w').write(str(os.getpid()))\nwhile not os.path.exists('" + go
                        + "'): time.sleep(0.05)\nraise SystemExit('enough')");
        Path list = Files.writeString(home.resolve("list"), "beta==1.0\nslow\n");
        Process service = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BuildsEnvironment.class.getName(),
                        home.toString(),
                        quick.toString(),
                        packages.toString(),
                        list.toString())
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("said").toFile())
                .start();
        ProcessHandle pip = startedProcess(started);
        service.destroyForcibly().waitFor();
        assertThat(folders()).hasSize(1);
        assertThat(pip.isAlive()).as("pip outlives the service").isTrue();

        Files.delete(packages.resolve("slow-1.0.zip"));
        TestPython.wheel(packages, "slow", "1.0", "quick now");
        Interpreter built = prepare(Files.readString(list));

        assertThat(pip.isAlive())
                .as("what was left of the other build is ended first")
                .isFalse();
        assertThat(run(built, "sh", "-c", "python -c 'import beta, slow; print(beta.value, slow.value)'"))
                .isEqualTo("one quick now");
    }

    private static ProcessHandle startedProcess(Path file) throws Exception {
        Await.until(
                "the build has come to its slow part",
                Duration.ofSeconds(90),
                () -> Files.exists(file) && !Files.readString(file).isEmpty());
        return ProcessHandle.of(Long.parseLong(Files.readString(file))).orElseThrow();
    }

    @Test
    void onlyAnEnvironmentWhoseMarkerHoldsIsUsed() throws Exception {
        Path withoutPip = TestPython.script(
                home.resolve("bare/python3"),
                "[ \"$1 $2\" != '-m venv' ] || { shift 2; set -- -m venv --without-pip \"$@\"; }\nexec '" + python
                        + "' \"$@\"\n");
        EnvironmentSpec empty = TestPython.with(Optional.empty(), Optional.of(withoutPip.toString()), false);
        Interpreter built = environments.prepare(empty, origin(""), progress::add);
        Path folder = Path.of(built.env().get("VIRTUAL_ENV"));
        Path marker = folder.resolve(".muster-complete");
        Path left = Files.writeString(folder.resolve("left"), "half");
        Files.delete(marker);
        environments.prepare(empty, origin(""), progress::add);
        assertThat(left).as("without a marker it is built anew").doesNotExist();

        Files.writeString(marker, "00000000-another-boot");
        Files.writeString(left, "half");
        environments.prepare(empty, origin(""), progress::add);
        assertThat(left).as("after another boot only what the disk has counts").doesNotExist();

        for (Runnable task = background.poll(); task != null; task = background.poll()) {
            task.run();
        }
        assertThat(marker).hasContent("on disk");
        Files.writeString(left, "whole");
        environments.prepare(empty, origin(""), progress::add);
        assertThat(left).exists();
    }

    @Test
    void withoutABlockTheSubmittersPythonIsUsedAsItIs() throws Exception {
        Interpreter used = environments.prepare(EnvironmentSpec.NONE, origin(""), progress::add);
        assertThat(used).isEqualTo(environments.locate(EnvironmentSpec.NONE, origin("")));
        assertThat(used.python()).contains(python.toString());
        for (String name : List.of("python", "python3")) {
            assertThat(run(used, "sh", "-c", name + " -c 'import sys, alpha; print(sys.prefix, sys.argv[1])' 'a  b'"))
                    .isEqualTo(python.getParent().getParent() + " a  b");
        }
        assertThat(progress).isEmpty();
        Origin none = new Origin("me", "/", Optional.empty(), Optional.empty(), "/nowhere", Map.of());
        assertThat(environments.prepare(EnvironmentSpec.NONE, none, progress::add))
                .isEqualTo(Interpreter.NONE);
    }

    @Test
    void aPythonWhosePathHasQuotesAndSpacesIsReached() throws Exception {
        Path odd = TestPython.script(home.resolve("it's a \"path\"/python3"), "exec '" + python + "' \"$@\"\n");
        Interpreter used = environments.prepare(EnvironmentSpec.NONE, TestPython.origin(odd, Map.of()), progress::add);
        assertThat(run(used, "sh", "-c", "python3 -c 'print(6 * 7)'")).isEqualTo("42");
    }

    @Test
    void systemPackagesAreSeenAlsoThoseOfAnEnvironment() throws Exception {
        EnvironmentSpec only = TestPython.with(Optional.empty(), Optional.of(python.toString()), true);
        assertThat(environments.prepare(only, origin(""), progress::add).python())
                .contains(python.toString());
        assertThat(progress).as("nothing is built for system packages alone").isEmpty();

        EnvironmentSpec both = TestPython.with(Optional.of("r.txt"), Optional.of(quick.toString()), true);
        Interpreter seen = environments.prepare(both, origin("beta==2.0"), progress::add);
        assertThat(run(seen, "sh", "-c", "python -c 'import alpha, beta; print(alpha.value, beta.value)'"))
                .isEqualTo("from a wheel two");
        assertThatThrownBy(() -> run(prepare("beta==2.0"), "sh", "-c", "python -c 'import alpha'"))
                .hasMessageContaining("No module named 'alpha'");
    }

    @Test
    void theInterpreterIsFoundOnTheSubmittersPath() throws Exception {
        Path bin = TestPython.script(home.resolve("bin/python3.77"), "exec '" + python + "' \"$@\"\n")
                .getParent();
        Origin origin =
                new Origin("me", "/", Optional.empty(), Optional.empty(), ":relative:" + bin + ":/usr/bin", Map.of());
        EnvironmentSpec named = TestPython.with(Optional.empty(), Optional.of("python3.77"), true);
        assertThat(environments.locate(named, origin).python())
                .contains(bin.resolve("python3.77").toString());
        TestPython.script(home.resolve("beside/python3.78"), "exec '" + python + "' \"$@\"\n");
        String relative =
                Path.of("").toAbsolutePath().relativize(home.resolve("beside")).toString();
        Origin beside = new Origin("me", "/", Optional.empty(), Optional.empty(), relative, Map.of());
        EnvironmentSpec onlyBeside = TestPython.with(Optional.empty(), Optional.of("python3.78"), true);
        assertThatThrownBy(() -> environments.locate(onlyBeside, beside))
                .as("a relative folder on PATH means another place here than where the job was submitted")
                .hasMessageContaining("there is no python3.78 on the PATH");
        for (String wrong : List.of("python9", "/nowhere/python3", "bin/python3", "./python3")) {
            EnvironmentSpec spec = TestPython.with(Optional.empty(), Optional.of(wrong), false);
            assertThatThrownBy(() -> environments.locate(spec, origin))
                    .isInstanceOf(EnvironmentException.class)
                    .hasMessageContaining("environment.python.interpreter")
                    .hasMessageContaining(wrong);
        }
        EnvironmentSpec noPython = TestPython.with(
                Optional.empty(),
                Optional.of(TestPython.script(home.resolve("bin/sh3"), "echo /bin/x; echo cpython; exit 3\n")
                        .toString()),
                false);
        assertThatThrownBy(() -> environments.locate(noPython, origin))
                .hasMessageContaining("does not say its version")
                .hasMessageContaining("3");
    }

    @Test
    void aShimStandsForThePythonItWouldRun() throws Exception {
        Path shim = TestPython.script(home.resolve("tools/shims/python3"), "exec '" + python + "' \"$@\"\n");
        assertThat(environments
                        .locate(EnvironmentSpec.NONE, TestPython.origin(shim, Map.of()))
                        .python())
                .contains(python.toString());
        Path other = TestPython.script(home.resolve("tools/other"), "exec '" + python + "' \"$@\"\n");
        TestPython.script(shim, "echo " + other + "; echo cpython-311 3.11.7 x86_64; echo\n");
        assertThat(environments
                        .locate(EnvironmentSpec.NONE, TestPython.origin(shim, Map.of()))
                        .python())
                .contains(python.toString());
        now = now.plus(Duration.ofSeconds(10));
        assertThat(environments
                        .locate(EnvironmentSpec.NONE, TestPython.origin(shim, Map.of()))
                        .python())
                .contains(other.toString());
    }

    @Test
    void aPythonThatCannotMakeEnvironmentsSaysWhatToInstall() throws Exception {
        Path bare = TestPython.script(
                home.resolve("bare/python3"),
                "case \"$*\" in *'-m venv'*) echo 'ensurepip is not available'; exit 1;; *'-m pip'*) exit 1;; esac\nexec '"
                        + python + "' \"$@\"\n");
        EnvironmentSpec spec = TestPython.with(Optional.empty(), Optional.of(bare.toString()), false);
        assertThatThrownBy(() -> environments.prepare(spec, origin(""), progress::add))
                .hasMessageContaining("ensurepip")
                .hasMessageContaining("apt install python3")
                .hasMessageContaining("-venv");
        assertThat(folders()).isEmpty();
    }

    @Test
    void aDiskThatFillsUpIsSaidAndNothingIsLeft() throws Exception {
        Path full = TestPython.script(
                home.resolve("full/python3"),
                "case \"$*\" in *'-m venv'*) for last; do :; done; mkdir -p \"$last/bin\"; echo half > \"$last/half\";"
                        + " echo \"OSError: [Errno 28] No space left on device: '$last/bin/python'\"; exit 1;; esac\n"
                        + "exec '" + python + "' \"$@\"\n");
        EnvironmentSpec spec = TestPython.with(Optional.empty(), Optional.of(full.toString()), false);
        assertThatThrownBy(() -> environments.prepare(spec, origin(""), progress::add))
                .hasMessageContaining("no space left on device")
                .hasMessageContaining("MUSTER_HOME");
        assertThat(folders()).isEmpty();
        TestPython.source(packages, "big", "raise OSError(28, 'No space left on device')");
        assertThatThrownBy(() -> prepare("big")).hasMessageContaining("no space left on device");
        assertThat(folders()).isEmpty();
    }

    @Test
    void settingsOfTheServiceThatWouldMissTheEnvironmentAreLeftOut() throws Exception {
        Map<String, String> variables = TestPython.variables(packages);
        variables.put("PIP_TARGET", home.resolve("elsewhere").toString());
        variables.put("PIP_USER", "1");
        variables.put("PYTHONPATH", home.resolve("path").toString());
        variables.put("PYTHONHOME", "/nowhere");
        environments = new VirtualEnvironments(home, () -> now, variables, background::add);
        assertThat(run(prepare("beta==1.0"), "sh", "-c", "python -c 'import beta; print(beta.value)'"))
                .isEqualTo("one");
        assertThat(home.resolve("elsewhere")).doesNotExist();
    }
}
