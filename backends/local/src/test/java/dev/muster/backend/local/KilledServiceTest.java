package dev.muster.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.Placement;
import dev.muster.model.ProcessKey;
import dev.muster.spi.BackendException;
import dev.muster.spi.Sighting;
import dev.muster.spi.Sighting.Seen;
import dev.muster.testkit.Await;
import dev.muster.testkit.Marked;
import dev.muster.testkit.TrialJob;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A service in a JVM of its own, killed with SIGKILL. Its user's locale is C and its home's name has other than ASCII letters. A JVM can
 * open such a path in no other way than by {@code LC_ALL=C.UTF-8}, so whoever starts a service sets that where the locale has no UTF-8.
 */
class KilledServiceTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private static final String JOB = "k" + ProcessHandle.current().pid();

    @TempDir
    private Path folder;

    private LocalPlace place;
    private Process service;

    @BeforeEach
    void makePlace() throws Exception {
        place = new LocalPlace(Files.createDirectory(folder.resolve("модель 模型")), UnaryOperator.identity());
    }

    @AfterEach
    void endEverything() throws Exception {
        service.destroyForcibly();
        try (LocalBackend backend = new LocalBackend(place.config())) {
            backend.remove(job().id());
        }
    }

    /** Starts the service and returns once it has started its job; gives the GPUs the job got. */
    private String startService(String script) throws Exception {
        return startService(List.of(), script);
    }

    private String startService(List<String> starter, String script) throws Exception {
        List<String> command = new ArrayList<>(starter);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ServiceProgram.class.getName(),
                place.folder().toString(),
                JOB,
                script));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("LANG", "C");
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.redirectError(folder.resolve("service.err").toFile());
        service = builder.start();
        BufferedReader output =
                new BufferedReader(new InputStreamReader(service.getInputStream(), StandardCharsets.UTF_8));
        String line = output.readLine();
        assertThat(line).as(Files.readString(folder.resolve("service.err"))).startsWith("started ");
        return line.substring("started ".length());
    }

    private static TrialJob job() {
        return ServiceProgram.job(JOB, "");
    }

    private void killService() throws Exception {
        service.destroyForcibly();
        assertThat(service.waitFor()).isEqualTo(137);
    }

    private static Seen seen(LocalBackend backend, ProcessKey key) throws Exception {
        return backend.observe(key.job()).stream()
                .filter(sighting -> sighting.key().equals(key))
                .map(Sighting::state)
                .findFirst()
                .orElseThrow();
    }

    private static boolean hasEnded(LocalBackend backend, ProcessKey key, int code) throws Exception {
        return seen(backend, key) instanceof Seen.Ended ended && ended.code() == code;
    }

    @Test
    void a12_workersOutliveTheServiceAndAreAdopted() throws Exception {
        String gpus =
                startService("echo line; while [ ! -e \"$MUSTER_CONTROL_DIR/go\" ]; do sleep 0.05; done; echo end;"
                        + " exit $((3 + MUSTER_INDEX))");
        assertThat(gpus).isEqualTo("0,1");
        TrialJob job = job();
        Await.until(
                "both say a line",
                SOON,
                () -> log(job.key(0, 1)).equals("line\n") && log(job.key(1, 1)).equals("line\n"));
        ProcessIdentity shim = shim(job.key(0, 1));
        killService();
        assertThat(new Proc().isRunning(shim)).isTrue();
        try (LocalBackend backend = new LocalBackend(place.config("home", "0,1"))) {
            OptionalLong pid = ((Seen.Running) seen(backend, job.key(0, 1))).pid();
            Placement again = backend.place(job.id(), 1, job.spec(), job.plan());
            assertThat(again.gpus().values()).containsExactly("0", "1");
            Files.createFile(place.folders().control(job.id()).resolve("go"));
            Await.until(
                    "both end", SOON, () -> hasEnded(backend, job.key(0, 1), 3) && hasEnded(backend, job.key(1, 1), 4));
            assertThat(((Seen.Ended) seen(backend, job.key(0, 1))).pid())
                    .as("as on record, though this service did not start it")
                    .isEqualTo(pid)
                    .isPresent();
        }
        assertThat(log(job.key(0, 1))).isEqualTo("line\nend\n");
    }

    @Test
    void whatNohupMadeTheServiceIgnoreIsNotIgnoredByItsJobs() throws Exception {
        startService(
                List.of("/bin/sh", "-c", "trap '' HUP INT; exec \"$@\"", "sh"),
                "grep SigIgn /proc/self/status; exec sleep 600");
        Await.until(
                "both tell",
                SOON,
                () -> log(job().key(0, 1)).endsWith("\n")
                        && log(job().key(1, 1)).endsWith("\n"));
        long mask = Long.parseUnsignedLong(
                log(job().key(0, 1)).substring("SigIgn:".length()).strip(), 16);
        assertThat(mask & 0x7fff_ffffL).isZero();
    }

    @Test
    void gpusOfAKilledServiceAreFreeOnceItsWorkersAreGone() throws Exception {
        startService("while [ ! -e \"$MUSTER_CONTROL_DIR/go\" ]; do sleep 0.05; done");
        TrialJob job = job();
        Await.until(
                "both run", SOON, () -> Marked.processes("MUSTER_JOB_ID=" + JOB).size() >= 2);
        killService();
        try (LocalBackend other = new LocalBackend(place.config("another home", "0,1"))) {
            assertThat(tryToPlace(other, job)).as("held by the shims").isFalse();
            Files.createFile(place.folders().control(job.id()).resolve("go"));
            Await.until("the GPUs are free", SOON, () -> tryToPlace(other, job));
            other.remove(job.id());
        }
    }

    private static boolean tryToPlace(LocalBackend backend, TrialJob job) {
        try {
            return !backend.place(job.id(), 1, job.spec(), job.plan()).gpus().isEmpty();
        } catch (BackendException none) {
            return false;
        }
    }

    @Test
    void b59_pathsWithOtherThanAsciiLettersWorkInTheLocaleC() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        startService("exec " + java + " -XX:TieredStopAtLevel=1 -cp \"$JOB_CLASSES\" " + ModelWriter.class.getName());
        TrialJob job = job();
        Path model = place.folders().model(job.key(0, 1)).resolve("модель.bin");
        Await.until("the model is written", SOON, () -> Files.exists(model) && Files.size(model) == 7);
        Await.until("the log tells it", SOON, () -> log(job.key(0, 1)).equals(model + "\n"));
    }

    private String log(ProcessKey key) throws Exception {
        Path log = place.folders().log(key);
        return Files.exists(log) ? Files.readString(log) : "";
    }

    private ProcessIdentity shim(ProcessKey key) throws Exception {
        return new AttemptFolder(place.folders().process(key)).claim().orElseThrow();
    }
}
