package dev.muster.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.BackendKind;
import dev.muster.model.JobId;
import dev.muster.spi.Backend.StopHow;
import dev.muster.spi.BackendException;
import dev.muster.spi.Launch;
import dev.muster.spi.Sighting.Seen;
import dev.muster.testkit.Await;
import dev.muster.testkit.TrialJob;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes as another user of the machine. It takes root; without, the only thing to see is that it is refused. */
@Timeout(120)
class RunAsTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int UID = 61_234;
    private static final int GID = 61_235;
    private static final OsUser USER =
            new OsUser("trainer", UID, GID, List.of(GID, 61_236), Optional.of("/home/trainer"));

    @TempDir
    private Path folder;

    private LocalPlace place;

    @BeforeEach
    void place() throws Exception {
        // JUnit's folder is its owner's alone.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
        place = new LocalPlace(folder, config -> config.withRunAs(new RunAs(Map.of("ann", USER))));
        Path home = Files.createDirectories(place.folders().home());
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx------"));
    }

    private static boolean isRoot() throws Exception {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    private static TrialJob job(String id, String script) {
        return TrialJob.script(new JobId(id), BackendKind.LOCAL, script);
    }

    private Launch start(LocalBackend backend, TrialJob job, String owner) throws Exception {
        Launch plain = job.launch(0, 1, backend.place(job.id(), 1, job.spec(), job.plan()), folder.toString());
        Launch launch = new Launch(
                plain.key(),
                plain.plan(),
                plain.spec(),
                plain.placement(),
                plain.python(),
                plain.codeDigest(),
                plain.folder(),
                plain.resumeFrom(),
                plain.secrets(),
                "/usr/bin:/bin",
                owner);
        backend.start(launch);
        return launch;
    }

    private static Seen.Ended ended(LocalBackend backend, JobId job) {
        return Await.value(
                "the process ends",
                SOON,
                () -> backend.observe(job).stream()
                        .map(sighting -> sighting.state())
                        .filter(Seen.Ended.class::isInstance)
                        .map(Seen.Ended.class::cast)
                        .findFirst());
    }

    @Test
    void aProcessIsThatUserAndSeesNothingOfTheHomeButItsOwn() throws Exception {
        if (!isRoot()) {
            assertThat(RunAs.lacking())
                    .hasValueSatisfying(why -> assertThat(why).contains("root"));
            return;
        }
        assertThat(RunAs.lacking()).isEmpty();
        Path home = place.folders().home();
        Path secret = Files.createDirectories(home.resolve("store")).resolve("secret");
        Files.writeString(secret, "hunter2");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-rw-rw-"));
        Files.createDirectories(home.resolve("jobs/other/checkpoints"));
        String script = """
                id -u; id -g; id -G; echo "$HOME $USER $LOGNAME"
                cat HOME/store/secret && echo READ
                ls HOME/; ls HOME/jobs; ls HOME/local/events || echo UNTOLD
                ls "$MUSTER_CODE_DIR/train.py" && pwd
                : >"$MUSTER_MODEL_DIR/model" && : >"$MUSTER_CHECKPOINT_DIR/step-1" && : >own && echo WROTE
                echo '{"step":1}' >>"$MUSTER_REPORT_FILE" && cat "$MUSTER_CONTROL_DIR/stop"
                (echo 0 >"$MUSTER_CODE_DIR/../exit") 2>/dev/null || echo KEPT
                (: >HOME/x) 2>/dev/null || echo CLOSED
                exit 7
                """.replace("HOME/", home + "/");
        TrialJob job = job("j1", script).withCode(place.snapshots().add(Map.of("train.py", "pass")));
        Path control = Files.createDirectories(place.folders().control(job.id()));
        Files.writeString(control.resolve("stop"), "120\n");
        LocalBackend backend = new LocalBackend(place.config());
        try (backend) {
            Launch launch = start(backend, job, "ann");
            assertThat(ended(backend, job.id()).code()).isEqualTo(7);
            Path work = place.folders().code(launch.key());
            assertThat(Files.readString(place.folders().log(launch.key())).lines())
                    .contains(
                            Integer.toString(UID),
                            Integer.toString(GID),
                            GID + " 61236",
                            "/home/trainer trainer trainer",
                            "j1",
                            work + "/train.py",
                            work.toString(),
                            "WROTE",
                            "120",
                            "UNTOLD",
                            "KEPT",
                            "CLOSED")
                    .doesNotContain("READ", "hunter2", "other", "store");
            for (Path own : List.of(
                    place.folders().model(launch.key()).resolve("model"),
                    place.folders().checkpoints(job.id()).resolve("step-1"),
                    place.folders().reports(launch.key()),
                    work.resolve("train.py"))) {
                assertThat(Files.getAttribute(own, "unix:uid", LinkOption.NOFOLLOW_LINKS))
                        .as(own.toString())
                        .isEqualTo(UID);
            }
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home)))
                    .isEqualTo("rwx------");
            backend.remove(job.id());
            assertThat(Files.exists(work)).isFalse();
        }
    }

    /** The loader writes a file for each program it loads, and is told so by a variable, as it would be told to load a user's library. */
    @Test
    void noVariableOfTheUserReachesWhatRunsAsRoot() throws Exception {
        if (!isRoot()) {
            assertThat(RunAs.lacking()).isPresent();
            return;
        }
        Path told = Files.createDirectory(folder.resolve("told"));
        Files.setPosixFilePermissions(told, PosixFilePermissions.fromString("rwxrwxrwx"));
        TrialJob job = job("j4", "id -u").withEnv(Map.of("LD_DEBUG", "files", "LD_DEBUG_OUTPUT", told + "/by"));
        try (LocalBackend backend = new LocalBackend(place.config())) {
            start(backend, job, "ann");
            assertThat(ended(backend, job.id()).code()).isZero();
            backend.remove(job.id());
        }
        try (Stream<Path> files = Files.list(told)) {
            assertThat(files)
                    .isNotEmpty()
                    .allSatisfy(file ->
                            assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(UID));
        }
    }

    @Test
    void anotherServiceSeesItsProcessesAndEndsThem() throws Exception {
        if (!isRoot()) {
            assertThat(RunAs.lacking()).isPresent();
            return;
        }
        TrialJob job = job("j2", "sleep 600 & sleep 600");
        try (LocalBackend first = new LocalBackend(place.config())) {
            start(first, job, "ann");
            Await.until("it runs", SOON, () -> running(first, job).isPresent());
        }
        try (LocalBackend next = new LocalBackend(place.config())) {
            long pid = running(next, job).orElseThrow();
            // Started as the service's user, it becomes the job's before it runs the command.
            Await.until(
                    "it runs as its user",
                    SOON,
                    () -> Files.getAttribute(Path.of("/proc/" + pid), "unix:uid")
                            .equals(UID));
            next.stop(job.key(0, 1), StopHow.KILL);
            assertThat(ended(next, job.id()).code()).isEqualTo(137);
            next.remove(job.id());
        }
    }

    private static Optional<Long> running(LocalBackend backend, TrialJob job) throws Exception {
        return backend.observe(job.id()).stream()
                .map(sighting -> sighting.state())
                .filter(Seen.Running.class::isInstance)
                .map(state -> ((Seen.Running) state).pid().orElse(-1))
                .filter(pid -> pid > 0)
                .findFirst();
    }

    @Test
    void whoIsNotMappedRunsNothing() throws Exception {
        try (LocalBackend backend = new LocalBackend(place.config())) {
            assertThatThrownBy(() -> start(backend, job("j3", "true"), "eve"))
                    .isInstanceOf(BackendException.class)
                    .hasMessageContaining("backends.local.runAs.eve");
            assertThat(backend.observe(new JobId("j3"))).isEmpty();
            assertThat(backend.hasOwnPython())
                    .as("the service runs no Python of a user")
                    .isTrue();
        }
    }

    @Test
    void usersAreFoundByNameOrNumberAndRootIsNone() throws Exception {
        assertThat(OsUsers.find("61234:61235")).isEqualTo(OsUser.numbered(UID, GID));
        assertThat(OsUsers.find("61234").gid()).isEqualTo(UID);
        OsUser nobody = OsUsers.find("nobody");
        assertThat(nobody.uid()).isPositive();
        assertThat(nobody.home()).isPresent();
        for (String root : List.of("root", "0", "0:5")) {
            assertThatThrownBy(() -> OsUsers.find(root)).hasMessageContaining("is root");
        }
        assertThatThrownBy(() -> OsUsers.find("no-such-user-here")).hasMessageContaining("has no user");
        assertThatThrownBy(() -> OsUsers.find("a b; rm")).hasMessageContaining("must be a login name");
    }
}
