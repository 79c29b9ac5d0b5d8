package dev.muster.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.backend.local.Shims.Answer;
import dev.muster.backend.local.Shims.Shim;
import dev.muster.spi.Rendered;
import dev.muster.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The shim under every shell of this machine that it is made for; {@code /bin/sh} is always there. */
@ParameterizedClass
@MethodSource("shells")
class ShimTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Programs PROGRAMS = Programs.ofSystem();

    private final List<String> shell;

    @TempDir
    private Path folder;

    private final List<Shim> spawned = new ArrayList<>();
    private Path attempt;

    ShimTest(List<String> shell) {
        this.shell = shell;
    }

    static Stream<List<String>> shells() {
        return Stream.of(
                        List.of("sh"),
                        List.of("dash"),
                        List.of("bash"),
                        List.of("bash", "--posix"),
                        List.of("busybox", "sh"),
                        List.of("ksh"),
                        List.of("mksh"))
                .flatMap(words -> PROGRAMS.find(words.getFirst()).stream()
                        .map(program -> Stream.concat(
                                        Stream.of(program.toString()),
                                        words.stream().skip(1))
                                .toList()));
    }

    @BeforeEach
    void makeAttempt() throws Exception {
        attempt = Files.createDirectory(folder.resolve("attempt 'x'"));
        Files.createDirectory(folder.resolve("events"));
    }

    /** Nobody writes into the folder any more when it is removed. */
    @AfterEach
    void endShims() throws Exception {
        for (Shim shim : spawned) {
            shim.process().getOutputStream().close();
            assertThat(shim.process().waitFor(SOON.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }
    }

    private Shim spawn() throws Exception {
        return spawn(attempt);
    }

    private Shim spawn(Path attempt) throws Exception {
        Shims shims = new Shims(folder, shell, PROGRAMS, false);
        Shim shim = shims.spawn(attempt, folder.resolve("log"), folder.resolve("events/j1.worker-0.a1"), false);
        spawned.add(shim);
        return shim;
    }

    private static String text(Path work, Map<String, String> env, String... argv) {
        return new LaunchText(PROGRAMS.require("env"), PROGRAMS.require("setsid"))
                .of(
                        new Rendered(List.of(argv), env, Map.of()),
                        work,
                        List.of(),
                        Optional.empty(),
                        false,
                        Optional.empty());
    }

    private AttemptFolder.Exit awaitExit() {
        return Await.value("the end is written", SOON, () -> new AttemptFolder(attempt).exit());
    }

    @Test
    void a11_theEnvironmentArrivesAsItIs() throws Exception {
        Map<String, String> env = Map.of(
                "A",
                "l1\nl2 'x' \\ $HOME",
                "PWD",
                "mine",
                "_",
                "mine too",
                "SHLVL",
                "7",
                "FOO.BAR",
                "",
                "UID",
                "абвгд",
                "pid",
                "1");
        Shim shim = spawn();
        assertThat(shim.answer()).isEqualTo(Answer.CLAIMED);
        shim.launch(text(attempt, env, "/bin/cat", "/proc/self/environ"));
        assertThat(awaitExit().code()).isZero();
        assertThat(List.of(Files.readString(folder.resolve("log")).split("\0")))
                .containsExactlyInAnyOrderElementsOf(env.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .toList());
        Path started = folder.resolve("events/j1.worker-0.a1.s");
        Path ended = folder.resolve("events/j1.worker-0.a1.x");
        Await.until("both events are told", SOON, () -> Files.exists(started) && Files.exists(ended));
    }

    @Test
    void b56_argumentsArriveAsTheyAre() throws Exception {
        spawn().launch(text(attempt, Map.of(), "/usr/bin/printf", "%s|", "ы '\n", "", "$HOME", "\\", "-x", "a=b"));
        assertThat(awaitExit().code()).isZero();
        assertThat(Files.readString(folder.resolve("log"))).isEqualTo("ы '\n||$HOME|\\|-x|a=b|");
    }

    @Test
    void aProgramsPathMayHoldAnEqualsSign() throws Exception {
        Path program = Files.createDirectory(attempt.resolve("lr=0.1")).resolve("train");
        Files.writeString(program, "#!/bin/sh\nexit 5\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        spawn().launch(text(attempt, Map.of(), "./lr=0.1/train"));
        assertThat(awaitExit().code()).isEqualTo(5);
    }

    @Test
    void theProgramRunsBelowTheShimInASessionOfItsOwnAndIsWrittenDownBefore() throws Exception {
        Shim shim = spawn();
        Proc.Stat parent = new Proc().stat(shim.process().pid()).orElseThrow();
        assertThat(parent.session()).as("session of the shim").isEqualTo(parent.pid());
        String look = "read -r pid start <started; [ $pid = $$ ] || exit 1; set -- $(cat /proc/$$/stat);" + " [ $4 = "
                + shim.process().pid() + " ] && [ $5 = $$ ] && [ $6 = $$ ] && [ ${22} = $start ]";
        shim.launch(text(attempt, Map.of("PATH", "/usr/bin:/bin"), "sh", "-c", look));
        assertThat(awaitExit().code()).isZero();
        assertThat(new AttemptFolder(attempt).claim())
                .hasValueSatisfying(claim ->
                        assertThat(claim.pid()).isEqualTo(shim.process().pid()));
    }

    @Test
    void a12_theSecondShimOfAnAttemptGoesAway() throws Exception {
        Shim first = spawn();
        Shim second = spawn();
        assertThat(first.answer()).isEqualTo(Answer.CLAIMED);
        assertThat(second.answer()).isEqualTo(Answer.TAKEN);
        first.launch(text(attempt, Map.of(), "/bin/sh", "-c", "exit 9"));
        assertThat(awaitExit().code()).isEqualTo(9);
        assertThat(second.process().waitFor()).isZero();
        assertThat(spawn().answer()).isEqualTo(Answer.TAKEN);
    }

    @Test
    void a12_aClaimIsTakenBackWhenTheServiceDiesBeforeTheLaunch() throws Exception {
        Shim nothing = spawn();
        nothing.abandon();
        assertThat(new AttemptFolder(attempt).isClaimed()).isFalse();
        // Cut in the middle of a quoted value.
        Shim half = spawn();
        assertThat(half.answer()).isEqualTo(Answer.CLAIMED);
        String text = text(attempt, Map.of("A", "b"), "/bin/true");
        half.process()
                .getOutputStream()
                .write(text.substring(0, text.indexOf("'b") + 2).getBytes(StandardCharsets.UTF_8));
        half.abandon();
        assertThat(new AttemptFolder(attempt).isClaimed()).isFalse();
        assertThat(Files.exists(attempt.resolve("started"))).isFalse();
        assertThat(spawn().answer()).isEqualTo(Answer.CLAIMED);
    }

    @Test
    void aClaimThatCannotBeWrittenIsAFailure() throws Exception {
        Path broken = Files.createDirectory(folder.resolve("broken"));
        Files.createSymbolicLink(broken.resolve("claim"), folder.resolve("no/such/folder/claim"));
        assertThat(spawn(broken).answer()).isEqualTo(Answer.FAILED);
    }

    /** The ignored ones among signals 1 to 31. */
    private static long ignored(String status) {
        return status.lines()
                .filter(line -> line.startsWith("SigIgn:"))
                .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16) & 0x7fff_ffffL)
                .sum();
    }

    @Test
    void signalsDoNotEndTheShimAndReachTheProgramUntouched() throws Exception {
        Shim shim = spawn();
        shim.launch(text(
                attempt, Map.of("PATH", "/usr/bin:/bin"), "sh", "-c", "grep Sig /proc/self/status; exec sleep 600"));
        Await.until(
                "it runs",
                SOON,
                () -> Files.exists(folder.resolve("log"))
                        && Files.readString(folder.resolve("log")).contains("SigCgt"));
        // Signals above 31 are the C library's own.
        assertThat(Files.readString(folder.resolve("log"))).containsPattern("SigBlk:\\s+0{16}");
        assertThat(ignored(Files.readString(folder.resolve("log")))).isZero();
        for (String signal : List.of("HUP", "INT", "QUIT", "TERM", "USR1", "USR2", "PIPE", "ALRM")) {
            new ProcessBuilder(
                            "kill", "-" + signal, Long.toString(shim.process().pid()))
                    .start()
                    .waitFor();
        }
        long program = new AttemptFolder(attempt).started().orElseThrow().pid();
        assertThat(shim.process().isAlive()).isTrue();
        new ProcessBuilder("kill", "-TERM", Long.toString(program)).start().waitFor();
        assertThat(awaitExit().code()).isEqualTo(143);
    }

    @Test
    void aMissingWorkingFolderOrProgramIsTold() throws Exception {
        spawn().launch(text(folder.resolve("nowhere"), Map.of(), "/bin/true"));
        assertThat(awaitExit().code()).isEqualTo(126);
    }
}
