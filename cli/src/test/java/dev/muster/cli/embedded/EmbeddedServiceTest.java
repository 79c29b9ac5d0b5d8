package dev.muster.cli.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.api.Called;
import dev.muster.api.JobDocument;
import dev.muster.api.JobPage;
import dev.muster.api.ProblemType;
import dev.muster.api.ServiceDocument;
import dev.muster.api.ServiceFile;
import dev.muster.cli.Documents;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.base.Failure;
import dev.muster.cli.base.Surroundings;
import dev.muster.cli.client.Api;
import dev.muster.cli.client.Client;
import dev.muster.cli.client.Endpoint;
import dev.muster.cli.client.Query;
import dev.muster.cli.client.Request;
import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Finding, starting and replacing the service of MUSTER_HOME, with real processes that stand for the service. */
class EmbeddedServiceTest {
    @TempDir
    private Path folder;

    private Path home;
    private final Map<String, String> variables = new HashMap<>();
    private final List<String> notes = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void layOut() throws IOException {
        home = folder.resolve("own/home");
        Files.createDirectories(folder.resolve("lib"));
        Files.writeString(
                folder.resolve("lib/server.args"),
                "-Xshare:auto -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx64m\n-cp \""
                        + System.getProperty("java.class.path") + "\"\n");
        variables.put("MUSTER_HOME", home.toString());
        variables.put("PATH", System.getenv("PATH"));
        variables.put("HOME", folder.toString());
    }

    @AfterEach
    void endServices() throws IOException {
        for (long pid : starts()) {
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    private Surroundings surroundings(String build) {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        return new Surroundings(
                variables,
                folder,
                new Surroundings.Application(
                        Optional.of(folder.resolve("lib")), Optional.of(java), build, Called.MUSTER));
    }

    private EmbeddedService service(String build) {
        return new EmbeddedService(surroundings(build), notes::add);
    }

    /** Process ids of all services that were ever started. */
    private List<Long> starts() throws IOException {
        if (!Files.isDirectory(home.resolve("starts"))) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(home.resolve("starts"))) {
            return files.map(file -> Long.parseLong(file.getFileName().toString()))
                    .sorted()
                    .toList();
        }
    }

    private ServiceFile file() throws IOException {
        return ServiceFile.of((JsonFields) Json.parse(Files.readString(home.resolve("service.json"))));
    }

    private static boolean answers(Endpoint endpoint) {
        return Client.answers(endpoint, Request.get("/health"));
    }

    @Test
    void theFirstCommandStartsOneAndTheNextFindsIt() throws IOException {
        Endpoint first = service("b1").find();
        assertThat(answers(first)).isTrue();
        assertThat(service("b1").find()).isEqualTo(first);
        assertThat(starts()).hasSize(1);
        assertThat(notes)
                .singleElement()
                .asString()
                .contains("starting the Muster service")
                .contains(home.toString());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home)))
                .isEqualTo("rwx------");
    }

    @Test
    void itIsAProcessOfItsOwnSessionWithNothingOfTheTerminal() throws IOException {
        variables.put("VIRTUAL_ENV", "/somewhere");
        variables.put("AWS_SECRET_ACCESS_KEY", "s3cr3t");
        variables.put("MUSTER_CAPACITY", "cpus=1");
        variables.put("https_proxy", "http://proxy");
        service("b1").find();
        String pid = Long.toString(file().pid());
        List<String> stat = List.of(Files.readString(Path.of("/proc", pid, "stat"))
                .replaceAll(".*\\) ", "")
                .split(" "));
        assertThat(stat.get(3)).as("its session").isEqualTo(pid);
        assertThat(Files.readSymbolicLink(Path.of("/proc", pid, "fd", "0"))).isEqualTo(Path.of("/dev/null"));
        assertThat(Files.readSymbolicLink(Path.of("/proc", pid, "fd", "1")))
                .isEqualTo(home.toRealPath().resolve("logs/service.out"));
        assertThat(Files.readSymbolicLink(Path.of("/proc", pid, "cwd"))).isEqualTo(home.toRealPath());
        assertThat(Files.readAllLines(home.resolve("environment")))
                .as("nothing of this JVM's own environment")
                .containsExactlyElementsOf(
                        new TreeSet<>(ServiceEnvironment.of(surroundings("b1")).keySet()))
                .contains("HOME", "PATH", "MUSTER_CAPACITY", "https_proxy")
                .doesNotContain("VIRTUAL_ENV", "AWS_SECRET_ACCESS_KEY", "MUSTER_HOME");
        String arguments = Files.readString(home.resolve("starts").resolve(pid));
        assertThat(arguments)
                .contains("-Dmuster.build=b1")
                .contains("-Dmuster.lib=" + folder.resolve("lib"))
                .contains("-Dmuster.java=");
    }

    @Test
    void manyCommandsAtOnceStartExactlyOne() throws Exception {
        int count = 8;
        CountDownLatch go = new CountDownLatch(1);
        List<Endpoint> found = Collections.synchronizedList(new ArrayList<>());
        List<String> failures = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            threads.add(Thread.startVirtualThread(() -> {
                try {
                    go.await();
                    found.add(service("b1").find());
                } catch (Failure failure) {
                    failures.add(failure.getMessage());
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        go.countDown();
        for (Thread thread : threads) {
            assertThat(thread.join(Duration.ofSeconds(50))).isTrue();
        }
        assertThat(failures).isEmpty();
        assertThat(found).hasSize(count).containsOnly(found.getFirst());
        assertThat(starts()).hasSize(1);
    }

    @Test
    void whatADeadServiceLeftBehindIsNoObstacle() throws IOException {
        Endpoint first = service("b1").find();
        kill(file().pid());
        assertThat(home.resolve("service.json")).exists();
        Endpoint second = service("b1").findAgain(first, "nothing listens there");
        assertThat(answers(second)).isTrue();
        assertThat(second).isNotEqualTo(first);
        assertThat(starts()).hasSize(2);
    }

    private static void kill(long pid) {
        ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
        process.destroyForcibly();
        process.onExit().orTimeout(60, TimeUnit.SECONDS).join();
    }

    @Test
    void aPidThatIsSomeoneElsesNowIsNotTakenForTheService() throws IOException {
        service("b1").find();
        ServiceFile dead = file();
        kill(dead.pid());
        ServiceFile reused = new ServiceFile(
                ProcessHandle.current().pid(),
                Instant.parse("2020-01-01T00:00:00Z"),
                dead.address(),
                dead.tokenFile(),
                dead.build());
        Files.writeString(home.resolve("service.json"), reused.toJson().toString());
        assertThat(answers(service("b1").find())).isTrue();
        assertThat(starts()).hasSize(2);
    }

    @Test
    void aServiceOfAnotherBuildIsReplacedWhenACommandBegins() throws IOException {
        service("b1").find();
        long old = file().pid();
        Endpoint now = service("b2").find();
        assertThat(answers(now)).isTrue();
        assertThat(file().build()).isEqualTo("b2");
        ProcessHandle.of(old).ifPresent(before -> assertThat(before.onExit()).succeedsWithin(Duration.ofSeconds(30)));
        assertThat(notes)
                .anySatisfy(note -> assertThat(note).contains("replacing").contains("workers go on"));
    }

    @Test
    void aCommandUnderWayTakesTheServiceOfAnyBuild() throws IOException {
        Endpoint first = service("b1").find();
        Endpoint second = service("b2").find();
        assertThat(service("b1").findAgain(first, "gone")).isEqualTo(second);
        assertThat(service("b1").findAgain(second, "the connection broke")).isEqualTo(second);
        assertThat(starts()).hasSize(2);
    }

    @Test
    void aServiceThatIsJustStoppingIsWaitedForAndStartedAgain() throws IOException {
        Endpoint first = service("b1").find();
        assertThat(Client.answers(first, Request.post("/service/stop"))).isTrue();
        // What it finds may be the one that ends; then the request goes to the one that follows.
        assertThat(new Api(new Client(service("b1"))).jobs(new Query()).texts("items"))
                .isEmpty();
        assertThat(starts()).hasSize(2);
    }

    @Test
    void aServiceThatEndsAtItsStartIsShownWithItsLastWords() throws IOException {
        Failure failure = endsAtItsStart(
                70,
                "[0.179s][warning][aot,codecache,stubs] Saved blob's name 'L' is different",
                "the database is broken",
                "\tat java.base/sun.nio.ch.ChannelInputStream.read(ChannelInputStream.java:1)",
                "\t... 12 more");
        assertThat(failure.exitCode()).isEqualTo(ExitCode.NOT_REACHED);
        assertThat(failure.getMessage())
                .contains("exit code 70")
                .contains("the database is broken")
                .contains("service.out")
                .doesNotContain("blob")
                .doesNotContain("\tat ")
                .doesNotContain("more");
    }

    @Test
    void aServiceThatFindsNoRoomOnItsDiskIsARefusal() throws IOException {
        endsAtItsStart(70, "of an earlier start");
        Failure failure = endsAtItsStart(28, "The service could not start: the disk of MUSTER_HOME is full.");
        assertThat(failure.exitCode()).isEqualTo(ExitCode.REFUSED);
        assertThat(failure.problem().type()).isEqualTo(ProblemType.DISK_FULL.urn());
        assertThat(failure.getMessage()).isEqualTo("The service could not start: the disk of MUSTER_HOME is full.");
    }

    @Test
    void aServiceThatRefusesItsHomeIsARefusalInItsOwnWords() throws IOException {
        Failure failure = endsAtItsStart(6, "token is no file, but Muster keeps one there: move it away");
        assertThat(failure.exitCode()).isEqualTo(ExitCode.REFUSED);
        assertThat(failure.getMessage()).isEqualTo("token is no file, but Muster keeps one there: move it away");
    }

    @Test
    void aServiceWithAWrongSettingIsWrongInputInItsOwnWords() throws IOException {
        Failure failure = endsAtItsStart(2, "MUSTER_CAPACITY: there is no 'cores'");
        assertThat(failure.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(failure.getMessage()).isEqualTo("MUSTER_CAPACITY: there is no 'cores'");
    }

    @Test
    void aHomeThatCannotBeMadeIsToldInTheWordsOfTheSystem() {
        Failure full = HomeFiles.unusable("MUSTER_HOME /h cannot be made", full("/h"));
        assertThat(full.exitCode()).isEqualTo(ExitCode.REFUSED);
        assertThat(full.getMessage()).contains("its disk is full");
        variables.put("MUSTER_HOME", "/proc/nosuch/home");
        Failure nowhere =
                catchThrowableOfType(Failure.class, () -> service("b1").find());
        assertThat(nowhere.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(nowhere.getMessage()).contains("cannot be made").doesNotContain("Exception");
        Failure denied = HomeFiles.unusable("MUSTER_HOME /h cannot be made", new AccessDeniedException("/h"));
        assertThat(denied.getMessage()).contains("permission is denied");
    }

    private static IOException full(String path) {
        return new FileSystemException(path, null, "No space left on device");
    }

    private Failure endsAtItsStart(int exitCode, String... says) throws IOException {
        Files.createDirectories(home);
        Files.writeString(home.resolve("die"), exitCode + "\n" + String.join("\n", says));
        return catchThrowableOfType(Failure.class, () -> service("b1").find());
    }

    /** Holds the process still, and waits until it is: a signal takes a moment to reach every thread. */
    private static void stand(long pid) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-STOP", Long.toString(pid)).start();
        assertThat(kill.waitFor()).isZero();
        long bound = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!isStill(pid)) {
            assertThat(System.nanoTime()).isLessThan(bound);
            Thread.sleep(5);
        }
    }

    private static boolean isStill(long pid) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
            for (Path thread : threads.toList()) {
                if (!Files.readString(thread.resolve("stat")).contains(") T ")) {
                    return false;
                }
            }
        }
        return true;
    }

    @Test
    void aServiceThatHangsIsToldWithWhatEndsIt() throws Exception {
        service("b1").find();
        long pid = file().pid();
        stand(pid);
        Failure failure = catchThrowableOfType(
                Failure.class, () -> new LocalService(surroundings("b1"), Duration.ofSeconds(1)).stop(false));
        assertThat(failure.exitCode()).isEqualTo(ExitCode.NOT_REACHED);
        assertThat(failure.getMessage()).contains("still runs").contains("kill -9 " + pid);
    }

    @Test
    void aHomeThatOthersMayWriteToIsRefusedBeforeAnythingIsWrittenThere() throws IOException {
        Files.createDirectories(home);
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxrwx---"));
        Failure failure =
                catchThrowableOfType(Failure.class, () -> service("b1").find());
        assertThat(failure.exitCode()).isEqualTo(ExitCode.REFUSED);
        assertThat(failure.getMessage())
                .contains("can be written by others (rwxrwx---)")
                .contains("chmod go-w " + home);
        LocalService local = new LocalService(surroundings("b1"));
        assertThat(catchThrowableOfType(Failure.class, local::status).exitCode())
                .isEqualTo(ExitCode.REFUSED);
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void aHomeOfAnotherUserIsRefused() throws IOException {
        Files.createDirectories(home);
        Failure failure = catchThrowableOfType(Failure.class, () -> HomeOwner.check(home, "somebody-else"));
        assertThat(failure.exitCode()).isEqualTo(ExitCode.REFUSED);
        assertThat(failure.getMessage()).contains("belongs to").contains("not to somebody-else");
    }

    @Test
    void aServiceThatDoesNotAnswerIsNamedWithItsProcess() throws Exception {
        Endpoint endpoint = service("b1").find();
        long pid = file().pid();
        stand(pid);
        Request request = Request.get("/jobs").within(Duration.ofSeconds(1));
        Failure failure = catchThrowableOfType(Failure.class, () -> new Client(service("b1")).json(request));
        assertThat(failure.exitCode()).isEqualTo(ExitCode.NOT_REACHED);
        assertThat(failure.getMessage()).contains(endpoint.address()).contains("(pid " + pid + ")");
        assertThat(Request.get("/jobs").silence()).isLessThanOrEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void whereNothingCanBeStartedThatIsSaid() {
        Surroundings bare = new Surroundings(
                variables,
                folder,
                new Surroundings.Application(Optional.empty(), Optional.empty(), "b", Called.MUSTER));
        Failure failure = catchThrowableOfType(Failure.class, () -> new EmbeddedService(bare, notes::add).find());
        assertThat(failure.getMessage()).contains("there is no service").contains("muster script");
    }

    @Test
    void statusAndStopStartNothing() throws IOException {
        LocalService local = new LocalService(surroundings("b1"));
        assertThat(local.status()).isEqualTo(ServiceDocument.NONE);
        assertThat(local.stop(false)).isEqualTo(ServiceDocument.NONE);
        assertThat(home).doesNotExist();
        service("b1").find();
        assertThat(local.status().running()).isTrue();
        assertThat(local.status().build()).contains("b1");
        ServiceFile was = file();
        long pid = was.pid();
        assertThat(local.stop(false).pid()).hasValue(pid);
        assertThat(new HomeFiles(home).isServiceLocked())
                .as("it is gone when the command is")
                .isFalse();
        assertThat(HomeFiles.lives(was)).as("and so is its process").isFalse();
        assertThat(local.status()).isEqualTo(ServiceDocument.NONE);
        assertThat(starts()).containsExactly(pid);
    }

    @Test
    void aBackendThatLiveJobsDoNotReachIsToldWithWhatItSays() throws IOException {
        LocalService local = new LocalService(surroundings("b1"));
        assertThat(local.silentBackends()).isEmpty();
        service("b1").find();
        assertThat(local.silentBackends()).isEmpty();
        String why = "no contact with the backend since 2026-01-31T12:00:01Z: pods were listed: pods is forbidden";
        Map<String, Json> lost =
                new HashMap<>(Documents.job("Admitted").toJson().values());
        lost.put("reason", Json.of(why));
        lost.put("noContact", Json.of("2026-01-31T12:00:01Z"));
        JobDocument job = JobDocument.of(new JsonFields(lost));
        JobPage page = new JobPage(List.of(job, Documents.job("Running")), List.of(), Optional.empty());
        Files.writeString(home.resolve("jobs"), page.toJson().toString());
        assertThat(local.silentBackends()).containsExactly("backend local, job hello: " + why);
    }

    @Test
    void aServiceWhoseFileWasRemovedIsFoundByItsLock() throws IOException {
        service("b1").find();
        ServiceFile file = file();
        Files.delete(home.resolve("service.json"));
        LocalService local = new LocalService(surroundings("b1"), Duration.ofSeconds(1));
        assertThat(local.status())
                .isEqualTo(new ServiceDocument(true, OptionalLong.of(file.pid()), Optional.empty(), Optional.empty()));
        Failure failure = catchThrowableOfType(Failure.class, () -> local.stop(true));
        assertThat(failure.getMessage()).contains("(pid " + file.pid() + ")").contains("service.json was removed");
        assertThat(new LocalService(surroundings("b1"), Duration.ofSeconds(20))
                        .stop(false)
                        .pid())
                .hasValue(file.pid());
        assertThat(HomeFiles.lives(file)).isFalse();
        assertThat(local.status()).isEqualTo(ServiceDocument.NONE);
    }

    @Test
    void theHomeOfAServiceForSeveralPeopleIsLeftAlone() throws IOException {
        service("b1").find();
        ServiceFile file = file();
        Files.move(home.resolve("service.json"), home.resolve("elsewhere"));
        Files.writeString(home.resolve("shared.url"), "https://muster.example.org:8470\n");
        LocalService local = new LocalService(surroundings("b1"));
        assertThat(local.status().address()).contains("https://muster.example.org:8470");
        Failure find = catchThrowableOfType(Failure.class, () -> service("b1").find());
        assertThat(find.exitCode()).isEqualTo(ExitCode.REFUSED);
        assertThat(find.getMessage())
                .contains("--server https://muster.example.org:8470", "a token")
                .doesNotContain("kill");
        Failure stop = catchThrowableOfType(Failure.class, () -> local.stop(false));
        assertThat(stop.exitCode()).isEqualTo(ExitCode.REFUSED);
        assertThat(stop.getMessage()).contains("for several people");
        assertThat(HomeFiles.lives(file)).isTrue();
        Files.move(home.resolve("elsewhere"), home.resolve("service.json"));
        Files.delete(home.resolve("shared.url"));
        local.stop(false);
        Files.writeString(home.resolve("shared.url"), "https://of-a-dead-one\n");
        assertThat(local.sharedUrl()).isEmpty();
        assertThat(service("b1").find().address()).startsWith("http://127.0.0.1");
    }

    @Test
    void settingsOfTheRunningServiceAreComparedWithThoseHere() {
        variables.put("MUSTER_CAPACITY", "cpus=1");
        service("b1").find();
        assertThat(new LocalService(surroundings("b1")).differentSettings()).isEmpty();
        variables.put("MUSTER_CAPACITY", "cpus=2");
        variables.put("MUSTER_GPUS", "0,1");
        assertThat(new LocalService(surroundings("b1")).differentSettings())
                .satisfiesExactly(
                        capacity -> assertThat(capacity)
                                .startsWith("MUSTER_CAPACITY is cpus=2 here and cpus=1 for the running service"),
                        gpus -> assertThat(gpus)
                                .startsWith("MUSTER_GPUS is 0,1 here and not set for the running service"));
    }

    @Test
    void theStartLockIsWaitedFor() throws Exception {
        Files.createDirectories(home);
        Thread asking;
        List<Endpoint> found = Collections.synchronizedList(new ArrayList<>());
        try (FileChannel channel = FileChannel.open(
                        home.resolve("start.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                java.nio.channels.FileLock lock = channel.lock()) {
            assertThat(lock.isValid()).isTrue();
            asking = Thread.startVirtualThread(() -> found.add(service("b1").find()));
            assertThat(asking.join(Duration.ofMillis(300))).isFalse();
            assertThat(starts()).isEmpty();
        }
        assertThat(asking.join(Duration.ofSeconds(30))).isTrue();
        assertThat(found).hasSize(1);
    }

    @Test
    void b59_theServiceSpeaksUtf8InAnyLocale() {
        for (Map.Entry<String, String> locale : Map.of("C", "C.UTF-8", "de_DE.ISO-8859-1", "C.UTF-8", "", "C.UTF-8")
                .entrySet()) {
            variables.put("LANG", locale.getKey());
            assertThat(ServiceEnvironment.of(surroundings("b"))).containsEntry("LC_ALL", locale.getValue());
        }
        variables.put("LANG", "de_DE.UTF-8");
        assertThat(ServiceEnvironment.of(surroundings("b")))
                .doesNotContainKey("LC_ALL")
                .containsEntry("LANG", "de_DE.UTF-8");
    }
}
