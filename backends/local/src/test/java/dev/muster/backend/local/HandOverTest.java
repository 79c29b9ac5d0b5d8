package dev.muster.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.BackendKind;
import dev.muster.model.JobId;
import dev.muster.model.JobSpec;
import dev.muster.model.Join;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Part;
import dev.muster.model.Placement;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.model.ProcessPlan;
import dev.muster.model.Template;
import dev.muster.spi.Backend.StopHow;
import dev.muster.spi.Interpreter;
import dev.muster.spi.Launch;
import dev.muster.spi.Sighting;
import dev.muster.spi.Sighting.Seen;
import dev.muster.testkit.Await;
import dev.muster.testkit.TrialJob;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A process that is held ready becomes an attempt: the real program of the frameworks, with a module that every Python has. */
class HandOverTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final Path PROGRAMS = Path.of("../../frameworks/src/main/resources/dev/muster/frameworks");
    private static final Interpreter PYTHON = new Interpreter(Optional.of("/usr/bin/python3"), List.of(), Map.of());

    private static final String WORK =
            "import os, sys, time\nprint('ready' if 'colorsys' in sys.modules else 'anew', os.environ['WORD'], os.getpid(), flush=True)\n"
                    + "while not os.path.exists(os.environ['MUSTER_CONTROL_DIR'] + '/go'): time.sleep(0.02)\nsys.exit(3)\n";

    @TempDir
    private Path folder;

    private final JobId job = new JobId("h" + ProcessHandle.current().pid());
    private final ProcessKey held = new ProcessKey(job, new ProcessName(JobSpec.STANDBY, 0), 1);
    private final ProcessKey worker = new ProcessKey(job, new ProcessName(JobSpec.WORKER, 0), 2);
    private LocalPlace place;
    private LocalBackend backend;

    @BeforeEach
    void begin() {
        place = new LocalPlace(folder, UnaryOperator.identity());
        backend = new LocalBackend(place.config());
    }

    @AfterEach
    void endEverything() throws Exception {
        backend.remove(job);
        backend.close();
    }

    private JobSpec spec() {
        return TrialJob.script(job, BackendKind.LOCAL, "")
                .withArgv("python", "work.py")
                .spec()
                .withStandby(1);
    }

    private static ProcessPlan plan(ProcessKey key, String program, Map<String, String> files, String... words) {
        List<Template> argv = new ArrayList<>();
        argv.add(Template.of(new Part.FactOf(Part.Fact.PYTHON)));
        argv.add(Template.text(program));
        for (String word : words) {
            argv.add(Template.text(word));
        }
        Map<String, Template> contents = new HashMap<>();
        files.forEach((name, text) -> contents.put(name, Template.text(text)));
        Map<String, Template> env = Map.of(
                "WORD",
                Template.text("a \"b\"\nc"),
                "MUSTER_CODE_DIR",
                Template.of(new Part.PathOf(Part.Place.CODE)),
                "MUSTER_CONTROL_DIR",
                Template.of(new Part.PathOf(Part.Place.CONTROL)));
        return new ProcessPlan(
                key.name(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                false,
                argv,
                env,
                contents,
                List.of(),
                new Join.Started(),
                Set.of(),
                false);
    }

    private void start(ProcessKey key, ProcessPlan plan) throws Exception {
        Placement placement = backend.place(job, 1, spec(), new LaunchPlan(1, List.of(plan)));
        backend.start(new Launch(
                key, plan, spec(), placement, PYTHON, Optional.empty(), "/", Optional.empty(), Map.of(), "", ""));
    }

    private void holdReady() throws Exception {
        Map<String, String> files = Map.of(
                ".muster/standby.py",
                Files.readString(PROGRAMS.resolve("standby.py")),
                ".muster/_muster_script.py",
                Files.readString(PROGRAMS.resolve("script.py")));
        start(held, plan(held, ".muster/standby.py", files, "colorsys"));
        Await.until("it is held ready", SOON, () -> Files.exists(pipe()));
    }

    private Path pipe() {
        return place.folders().code(held).resolve(".muster/standby.pipe");
    }

    private void startWorker() throws Exception {
        start(worker, plan(worker, "work.py", Map.of("work.py", WORK)));
        Await.until("it says a line", SOON, () -> log().endsWith("\n"));
    }

    private String log() throws IOException {
        Path log = place.folders().log(worker);
        return Files.exists(log) ? Files.readString(log) : "";
    }

    private Seen seen(ProcessKey key) throws Exception {
        return backend.observe(job).stream()
                .filter(sighting -> sighting.key().equals(key))
                .map(Sighting::state)
                .findFirst()
                .orElseThrow();
    }

    private long pid(ProcessKey key) throws Exception {
        return seen(key) instanceof Seen.Running running ? running.pid().orElseThrow() : 0;
    }

    @Test
    void itBecomesTheAttemptAndHasEndedItself() throws Exception {
        holdReady();
        Await.until("it runs", SOON, () -> pid(held) > 0);
        long pid = pid(held);
        startWorker();
        assertThat(log()).isEqualTo("ready a \"b\"\nc " + pid + "\n");
        assertThat(pid(worker)).isEqualTo(pid);
        assertThat(seen(held))
                .isInstanceOfSatisfying(
                        Seen.Ended.class, end -> assertThat(end.code()).isZero());
        backend.stop(held, StopHow.KILL);
        backend.sweep(held);
        assertThat(pid(worker)).as("what was held ready is the worker's").isEqualTo(pid);
        Files.createFile(place.folders().control(job).resolve("go"));
        Await.until(
                "its exit code is the worker's",
                SOON,
                () -> seen(worker) instanceof Seen.Ended ended && ended.code() == 3);
        assertThat(((Seen.Ended) seen(held)).code()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"work.py, work.py", "work, work", "work, work/__main__.py"})
    void itRunsWhateverPythonTakesAsAScript(String script, String file) throws Exception {
        holdReady();
        start(worker, plan(worker, script, Map.of(file, WORK)));
        Await.until("it says a line", SOON, () -> log().endsWith("\n"));
        assertThat(log()).startsWith("ready ");
    }

    @Test
    void anotherServiceSeesTheSame() throws Exception {
        holdReady();
        startWorker();
        long pid = pid(worker);
        try (LocalBackend next = new LocalBackend(place.config())) {
            assertThat(next.observe(job))
                    .anyMatch(one -> one.key().equals(held) && one.state() instanceof Seen.Ended)
                    .anyMatch(one -> one.key().equals(worker) && one.state() instanceof Seen.Running);
            next.stop(worker, StopHow.KILL);
        }
        Await.until("it is killed", SOON, () -> seen(worker) instanceof Seen.Ended ended && ended.code() == 137);
        assertThat(ProcessHandle.of(pid)).isEmpty();
    }

    @Test
    void anOrderThatIsBrokenOffTakesItsClaimBack() throws Exception {
        holdReady();
        Path claim = place.folders().process(worker).resolve("claim");
        Files.createDirectories(claim.getParent());
        try (RandomAccessFile pipe = new RandomAccessFile(pipe().toFile(), "rw")) {
            pipe.write(("{\"claim\": [\"" + claim + "\", \"1 2 3\\n\"]}\n").getBytes(StandardCharsets.UTF_8));
            Await.until("it claims", SOON, () -> Files.exists(claim));
        }
        Await.until("the claim is gone", SOON, () -> Files.notExists(claim));
        startWorker();
        assertThat(log()).startsWith("ready ");
    }

    /** As when one that did not answer wakes at last, claims, finds nobody there and takes it back: the attempt is whoever's claims after it. */
    @Test
    void aClaimThatWasTakenBackIsNobodysAnyMore() throws Exception {
        Process other = new ProcessBuilder("sleep", "600").start();
        Path claim = place.folders().process(worker).resolve("claim");
        Files.createDirectories(claim.getParent());
        Proc proc = new Proc();
        long start = proc.stat(other.pid()).orElseThrow().start();
        Files.writeString(claim, new ProcessIdentity(other.pid(), start, proc.boot()) + "\n");
        assertThat(seen(worker)).isInstanceOf(Seen.Starting.class);
        Files.delete(claim);
        assertThat(backend.observe(job)).isEmpty();
        startWorker();
        long pid = pid(worker);
        other.destroyForcibly().waitFor();
        assertThat(pid(worker)).isEqualTo(pid).isPositive();
    }

    @Test
    void whoDoesNotAnswerIsPassedOver() throws Exception {
        holdReady();
        Await.until("it runs", SOON, () -> pid(held) > 0);
        String pid = Long.toString(pid(held));
        new ProcessBuilder("kill", "-STOP", pid).start().waitFor();
        startWorker();
        assertThat(log()).startsWith("anew ");
        new ProcessBuilder("kill", "-CONT", pid).start().waitFor();
        assertThat(seen(held)).isInstanceOf(Seen.Running.class);
        // Who did not answer makes nobody wait a second time.
        ProcessKey peer = new ProcessKey(job, new ProcessName(JobSpec.WORKER, 1), 2);
        start(peer, plan(peer, "work.py", Map.of("work.py", WORK)));
        Path log = place.folders().log(peer);
        Await.until(
                "it says a line",
                SOON,
                () -> Files.exists(log) && Files.readString(log).endsWith("\n"));
        assertThat(Files.readString(log)).startsWith("anew ");
    }
}
