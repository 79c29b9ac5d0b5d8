package dev.muster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import dev.muster.server.home.HomeException;
import dev.muster.server.home.MusterHome;
import dev.muster.spi.JobStore.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The service as a process of its own. */
class MainTest {
    @TempDir
    private Path folder;

    @Test
    void a12_a14_jobsOfAServiceThatWasKilledAreAdoptedAndJudgedRightly() throws Exception {
        Path home = folder.resolve("home");
        String good;
        String bad;
        String goes;
        String queued;
        Worker before;
        try (ServiceProcess first = ServiceProcess.start(home)) {
            Path gate = folder.resolve("gate");
            good = submit(first, "good", "while [ ! -e " + gate + " ]; do sleep 0.05; done; echo out");
            bad = submit(first, "bad", "while [ ! -e " + gate + " ]; do sleep 0.05; done; exit 3");
            goes = submit(first, "goes", "exec sleep 600");
            List<Worker> ending =
                    List.of(Worker.of(first.await(good, "Running")), Worker.of(first.await(bad, "Running")));
            queued = submit(first, "suspended", "true", "\"suspended\":true,");
            before = Worker.of(first.await(goes, "Running"));
            first.kill();
            Files.createFile(gate);
            // Both end while no service is there to see it.
            Served.until(() -> ending.stream().noneMatch(Worker::isAlive));
            assertThat(before.isAlive()).isTrue();
        }
        try (ServiceProcess next = ServiceProcess.start(home)) {
            assertThat(next.await(good, "Succeeded").integer("attempt")).isEqualTo(1);
            JsonFields failed = next.await(bad, "Failed");
            assertThat(failed.text("cause")).isEqualTo("UserError");
            assertThat(failed.list("processes", each -> each).getFirst().integer("exitCode"))
                    .isEqualTo(3);
            JsonFields still = next.await(goes, "Running");
            assertThat(Worker.of(still)).isEqualTo(before);
            assertThat(still.integer("attempt")).isEqualTo(1);
            assertThat(next.await(queued, "Suspended").text("id")).isEqualTo(queued);
            assertThat(next.get("/v1/jobs/" + good + "/logs?process=worker-0").body())
                    .isEqualTo("out\n");
            next.post("/v1/jobs/" + goes + "/cancel", "");
            next.await(goes, "Cancelled");
        }
    }

    private record Worker(long pid, Instant startedAt) {
        boolean isAlive() {
            return Files.exists(Path.of("/proc", Long.toString(pid)));
        }

        static Worker of(JsonFields job) {
            JsonFields process = job.list("processes", each -> each).getFirst();
            return new Worker(process.integer("pid"), process.time("startedAt"));
        }
    }

    @Test
    void sigtermIsACleanStop() throws Exception {
        Path home = folder.resolve("home");
        try (ServiceProcess service = ServiceProcess.start(home)) {
            assertThat(service.terminate()).isEqualTo(143);
        }
        assertThat(home.resolve("service.json")).doesNotExist();
        assertThat(Files.readString(home.resolve("logs/service.log")))
                .contains("stopped")
                .doesNotContain("WARNING");
        try (ServiceProcess next = ServiceProcess.start(home)) {
            assertThat(next.post("/v1/service/stop", "").statusCode()).isEqualTo(202);
            assertThat(next.exitCode()).isZero();
            assertThat(next.output()).isEmpty();
        }
    }

    @Test
    void aSecondServiceOfAHomeIsRefusedAndTheFirstGoesOn() throws Exception {
        Path home = folder.resolve("home");
        try (ServiceProcess first = ServiceProcess.start(home);
                ServiceProcess second = ServiceProcess.launch(home)) {
            assertThat(second.exitCode()).isEqualTo(6);
            assertThat(second.output()).contains("is running in " + home);
            assertThat(first.get("/v1/health").statusCode()).isEqualTo(204);
        }
    }

    @Test
    void oneThatStartsWhileAnotherStopsTakesOver() throws Exception {
        Path home = folder.resolve("home");
        try (ServiceProcess first = ServiceProcess.start(home);
                ServiceProcess second = ServiceProcess.launch(home)) {
            first.post("/v1/service/stop", "");
            assertThat(first.exitCode()).isZero();
            Served.until(() -> Files.exists(home.resolve("service.json")));
            assertThat(Files.readString(home.resolve("service.json"))).contains("\"pid\":" + second.pid());
        }
    }

    @Test
    void anIdleServiceEndsByItself() throws Exception {
        try (ServiceProcess service = ServiceProcess.start(folder.resolve("home"), "--idle", "1s")) {
            assertThat(service.exitCode()).isZero();
        }
    }

    @Test
    void aHomeThatOthersCanWriteIsRefusedInPlainWords() throws Exception {
        Path home = Files.createDirectory(folder.resolve("home"));
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxrwxrwx"));
        try (ServiceProcess service = ServiceProcess.launch(home)) {
            assertThat(service.exitCode()).isEqualTo(6);
            assertThat(service.output()).contains("can be written by others").doesNotContain("Exception");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "MUSTER_CAPACITY, cores=4, MUSTER_CAPACITY: there is no 'cores'",
        "MUSTER_DOCKER_CAPACITY, cores=4, MUSTER_DOCKER_CAPACITY: there is no 'cores'",
        "MUSTER_DOCKER_FILES, often, 'MUSTER_DOCKER_FILES: is auto, mounted or copied, not often'",
        "MUSTER_DOCKER_MOUNTS, /data:here, 'MUSTER_DOCKER_MOUNTS: here is no absolute path'",
        "MUSTER_FAILPOINT, often, MUSTER_FAILPOINT is halt:NAME"
    })
    void aWrongSettingIsToldByItsNameAndEndsAsAllWrongInputDoes(String variable, String value, String told)
            throws Exception {
        try (ServiceProcess service = ServiceProcess.launch(Map.of(variable, value), folder.resolve("home"))) {
            assertThat(service.exitCode()).isEqualTo(2);
            assertThat(service.output()).contains(told).doesNotContain("Exception");
        }
    }

    @Test
    void aFolderWhereAFileOfTheHomeBelongsIsRefusedInPlainWords() throws Exception {
        for (String name : List.of("token", "service.lock", "service.json", "logs/service.log")) {
            Path home = folder.resolve("home-" + name.replace('/', '-'));
            Files.createDirectories(home.resolve(name));
            Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx------"));
            assertThatThrownBy(() -> MusterHome.take(home))
                    .isInstanceOf(HomeException.class)
                    .hasMessageContaining(name + " is no file")
                    .hasMessageContaining("move it away");
        }
        Path home = folder.resolve("home-token");
        try (ServiceProcess service = ServiceProcess.launch(home)) {
            assertThat(service.exitCode()).isEqualTo(6);
            assertThat(service.output())
                    .contains("token is no file")
                    .doesNotContain("Exception")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void aFaultAtTheStartIsToldWithoutItsClass() {
        IOException full = new IOException("No space left on device");
        for (Exception fault : List.of(
                full,
                new UncheckedIOException(full),
                new StoreException("the database is full", StoreException.Kind.DISK_FULL, null))) {
            assertThat(StartFault.isDiskFull(fault)).isTrue();
            assertThat(StartFault.told(fault)).contains("disk of MUSTER_HOME is full");
        }
        Exception denied = new UncheckedIOException(new AccessDeniedException("/h/jobs"));
        assertThat(StartFault.isDiskFull(denied)).isFalse();
        assertThat(StartFault.told(denied)).isEqualTo("permission for /h/jobs is denied");
        assertThat(StartFault.told(new FileSystemException("/h/x", null, "Is a directory")))
                .isEqualTo("/h/x: Is a directory");
        assertThat(StartFault.told(
                        new StoreException("the database is of a newer Muster", StoreException.Kind.OTHER, null)))
                .isEqualTo("the database is of a newer Muster");
    }

    @Test
    void argumentsAreReadAndWrongOnesToldWithTheUsage() throws Exception {
        Map<String, String> none = Map.of();
        assertThat(Arguments.read(List.of(), none, "/home/ann"))
                .isEqualTo(new Arguments(Path.of("/home/ann/.muster"), Arguments.IDLE));
        assertThat(Arguments.read(List.of("--idle", "1h30m"), Map.of("MUSTER_HOME", "/m"), "/home/ann"))
                .isEqualTo(new Arguments(Path.of("/m"), Duration.ofMinutes(90)));
        assertThat(Arguments.read(List.of("--home", "/x"), Map.of("MUSTER_HOME", "/m"), "/home/ann")
                        .home())
                .isEqualTo(Path.of("/x"));
        for (List<String> wrong : List.of(
                List.of("--hmoe", "/x"), List.of("--home"), List.of("--idle", "0s"), List.of("--idle", "soon"))) {
            assertThatThrownBy(() -> Arguments.read(wrong, none, "/home/ann"))
                    .hasMessageContaining("usage: --home DIR");
        }
    }

    private static String submit(ServiceProcess service, String name, String command) {
        return submit(service, name, command, "");
    }

    private static String submit(ServiceProcess service, String name, String command, String more) {
        String text = "{\"name\":\"" + name + "\",\"framework\":\"plain\",\"grace\":\"1s\"," + more
                + "\"command\":[\"sh\",\"-c\"," + Json.of(command) + "]}";
        return Served.json(service.post("/v1/jobs", Served.jobRequest(text).toString()))
                .text("id");
    }
}
