package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.BackendKind;
import dev.muster.model.JobId;
import dev.muster.model.Placement;
import dev.muster.model.Problem;
import dev.muster.spi.Backend.StopHow;
import dev.muster.spi.BackendException;
import dev.muster.spi.CodeStore;
import dev.muster.spi.Rendered;
import dev.muster.spi.Sighting.Seen;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every backend keeps to. It runs real processes: POSIX {@code sh}, and {@code python3} where one has to listen. An implementation
 * extends this and says where things are; what only it can do it tests beside this.
 */
public abstract class BackendTck extends ReadyTck {
    private static final String UNPLEASANT = "l1\nl2 'q' \"q\" $HOME `id` \\ 64(x2) модель ✓ =x=y=";

    /** Stores a code snapshot that {@link CodeStore#copyTo} then knows. */
    protected abstract String snapshot(Map<String, String> files) throws Exception;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 42, 126, 127, 130, 139, 143, 255})
    void b28_anExitCodeIsToldAsItIs(int code) throws Exception {
        TrialJob job = job("exit " + code);
        start(job);
        Seen.Ended end = awaitEnd(job.key(0, 1));
        assertThat(end.code()).isEqualTo(code);
        assertThat(end.outOfMemory()).isFalse();
        assertThat(end.startedAt()).isPresent();
        assertThat(end.endedAt()).isAfterOrEqualTo(end.startedAt().get());
    }

    @ParameterizedTest
    @ValueSource(strings = {"KILL", "SEGV", "TERM", "INT", "ABRT"})
    void b28_anEndBySignalIs128PlusItsNumber(String signal) throws Exception {
        TrialJob job = job("kill -" + signal + " $$; sleep 600");
        start(job);
        Map<String, Integer> numbers = Map.of("KILL", 9, "SEGV", 11, "TERM", 15, "INT", 2, "ABRT", 6);
        assertThat(awaitEnd(job.key(0, 1)).code()).isEqualTo(128 + numbers.get(signal));
    }

    @Test
    void b19_aMissingProgramIs127AndNamed() throws Exception {
        TrialJob job = job("").withArgv("no-such-program", "--epochs", "2");
        start(job);
        Seen.Ended end = awaitEnd(job.key(0, 1));
        assertThat(end.code()).isEqualTo(127);
        assertThat(end.message().orElse("")).contains("no-such-program");
    }

    @Test
    void b19_aFileThatMayNotBeExecutedIs126AndNamed() throws Exception {
        TrialJob job = job("").withFiles(Map.of("train.sh", "echo never\n")).withArgv("./train.sh");
        start(job);
        Seen.Ended end = awaitEnd(job.key(0, 1));
        assertThat(end.code()).isEqualTo(126);
        assertThat(end.message().orElse("")).contains("train.sh");
    }

    @Test
    void b46_eachAttemptHasItsOwnLogAndEnd() throws Exception {
        TrialJob job = job("echo attempt $MUSTER_ATTEMPT; exit $MUSTER_ATTEMPT");
        Placement placement = start(job);
        awaitEnd(job.key(0, 1));
        startAgain(job, placement);
        assertThat(awaitEnd(job.key(0, 2)).code()).isEqualTo(2);
        assertThat(awaitEnd(job.key(0, 1)).code()).isEqualTo(1);
        assertThat(log(job.key(0, 1))).isEqualTo("attempt 1\n");
        assertThat(log(job.key(0, 2))).isEqualTo("attempt 2\n");
    }

    @Test
    void b40_rawBytesOfBothStreamsReachTheLog() throws Exception {
        TrialJob job = job("printf 'hi\\200end'; printf 'err' >&2");
        start(job);
        awaitEnd(job.key(0, 1));
        byte[] raw = {'h', 'i', (byte) 0x80, 'e', 'n', 'd', 'e', 'r', 'r'};
        assertThat(Files.readAllBytes(folders().log(job.key(0, 1)))).isEqualTo(raw);
    }

    @Test
    void b56_bytesOfVariablesAndArgumentsArriveUnchanged() throws Exception {
        Map<String, String> env = new TreeMap<>();
        env.put("A", "l1\nl2");
        env.put("B", "x=y=");
        env.put("C", "64(x2) $HOME \"q\"");
        env.put("D", "");
        env.put("E", UNPLEASANT);
        env.put("folder", "of a shell");
        env.put("PATH_LIKE", "абвгдежзийклмнопрстуфхцчшщъыьэюя\u00ff\u0080\t\r");
        TrialJob job = job("").withEnv(env)
                .withSecrets(Map.of("TOKEN", "s3cr3t 'X'\nYZ"))
                .withArgv(
                        "sh", "-c", "cat /proc/self/environ; printf '%s\\0' \"$@\" >&2", "sh", UNPLEASANT, "", "last");
        Placement placement = start(job);
        awaitEnd(job.key(0, 1));
        List<String> said = Arrays.asList(log(job.key(0, 1)).split("\0", -1));
        Rendered rendered = backend.render(job.launch(0, 1, placement, "/"));
        assertThat(rendered.env()).containsAllEntriesOf(env).containsEntry("TOKEN", "s3cr3t 'X'\nYZ");
        rendered.env().forEach((name, value) -> assertThat(said).contains(name + "=" + value));
        assertThat(said).containsSubsequence(UNPLEASANT, "", "last");
    }

    @Test
    void theWorkingFolderIsAWritableCopyForEachAttempt() throws Exception {
        String digest =
                snapshot(Map.of("train.sh", "cat data/part; echo changed >data/part\n", "data/part", "as stored\n"));
        TrialJob job = job("sh train.sh; cat extra/host; [ \"$PWD\" = \"$MUSTER_CODE_DIR\" ]")
                .withCode(digest)
                .withFiles(Map.of("extra/host", "written by the plan\n"));
        Placement placement = start(job);
        assertThat(awaitEnd(job.key(0, 1)).code()).isZero();
        startAgain(job, placement);
        assertThat(awaitEnd(job.key(0, 2)).code()).isZero();
        assertThat(log(job.key(0, 2))).isEqualTo("as stored\nwritten by the plan\n");
    }

    @Test
    void b64_theModelFolderIsNewAndEmptyTheOthersAreThere() throws Exception {
        String script =
                "ls -A \"$MUSTER_MODEL_DIR\"; touch \"$MUSTER_MODEL_DIR/model.bin\" \"$MUSTER_CHECKPOINT_DIR/c$MUSTER_ATTEMPT\";"
                        + " ls \"$MUSTER_CHECKPOINT_DIR\" \"$MUSTER_CONTROL_DIR\"; echo {} >>\"$MUSTER_REPORT_FILE\"";
        TrialJob job = job(script);
        Placement placement = start(job);
        assertThat(awaitEnd(job.key(0, 1)).code()).isZero();
        startAgain(job, placement);
        assertThat(awaitEnd(job.key(0, 2)).code()).isZero();
        assertThat(log(job.key(0, 2))).doesNotContain("model.bin").contains("c1\nc2\n");
    }

    @Test
    void b65_theModelFolderIsMadeWhateverStandsInItsPlace() throws Exception {
        TrialJob job = job("touch \"$MUSTER_MODEL_DIR/model.bin\" && ls -A \"$MUSTER_MODEL_DIR\"");
        Path file = folders().model(job.key(0, 1));
        Files.createDirectories(file.getParent());
        Files.writeString(file, "a file of that name");
        Path folder = Files.createDirectories(folders().model(job.key(0, 2)));
        Files.writeString(folder.resolve("left.bin"), "of an attempt that was broken off");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("r-xr-xr-x"));

        Placement placement = start(job);
        assertThat(awaitEnd(job.key(0, 1)).code()).isZero();
        startAgain(job, placement);
        assertThat(awaitEnd(job.key(0, 2)).code()).isZero();
        assertThat(log(job.key(0, 1))).isEqualTo("model.bin\n");
        assertThat(log(job.key(0, 2))).isEqualTo("model.bin\n");
    }

    @Test
    void a48_twoJobsNeverShareACheckpointFolder() throws Exception {
        String script =
                "touch \"$MUSTER_CHECKPOINT_DIR/$MUSTER_JOB_ID.$MUSTER_INDEX\"; while [ ! -e \"$MUSTER_CONTROL_DIR/stop\" ];"
                        + " do sleep 0.05; done; ls \"$MUSTER_CHECKPOINT_DIR\"";
        List<TrialJob> jobs = List.of(job(script).withWorkers(2), job(script).withWorkers(2));
        for (TrialJob job : jobs) {
            start(job);
        }
        for (TrialJob job : jobs) {
            Path checkpoints = folders().checkpoints(job.id());
            for (int index = 0; index < 2; index++) {
                Path own = checkpoints.resolve(job.id() + "." + index);
                Await.until(own + " is there", soon(), () -> Files.exists(own));
            }
        }
        for (TrialJob job : jobs) {
            letGo(job);
            for (int index = 0; index < 2; index++) {
                assertThat(awaitEnd(job.key(index, 1)).code()).isZero();
                assertThat(log(job.key(index, 1))).isEqualTo(job.id() + ".0\n" + job.id() + ".1\n");
            }
        }
    }

    @Test
    void b18_missingDataIsNamed() throws Exception {
        TrialJob job = job("exit 0").withData(Map.of("images", "no/such/folder"));
        Placement placement = place(job);
        assertThatThrownBy(() -> backend.start(job.launch(0, 1, placement, "/tmp")))
                .isInstanceOfSatisfying(BackendException.class, refused -> {
                    assertThat(refused.kind()).isEqualTo(BackendException.Kind.REFUSED);
                    assertThat(refused).hasMessageContaining("images").hasMessageContaining("no/such/folder");
                });
        assertThat(backend.observe(job.id())).isEmpty();
    }

    @Test
    void aChangeIsToldSoon() throws Exception {
        ConcurrentLinkedQueue<JobId> told = new ConcurrentLinkedQueue<>();
        backend.listen(told::add);
        TrialJob job = job("while [ ! -e \"$MUSTER_CONTROL_DIR/stop\" ]; do sleep 0.05; done");
        start(job);
        Await.until("the start is told", soon(), () -> told.contains(job.id()));
        awaitRunning(job.key(0, 1));
        Await.until("quiet", soon(), () -> told.poll() == null);
        letGo(job);
        Await.until("the end is told", soon(), () -> told.contains(job.id()));
        awaitEnd(job.key(0, 1));
    }

    @Test
    void a19_aRemovedJobIsForgottenButForItsLogs() throws Exception {
        TrialJob job = job("echo kept; sleep 600");
        start(job);
        awaitLog(job.key(0, 1), "kept");
        assertThat(backend.jobs()).contains(job.id());
        assertThat(restarted().jobs()).contains(job.id());
        backend.remove(job.id());
        backend.remove(job.id());
        assertNothingRuns(job.id());
        assertThat(backend.observe(job.id())).isEmpty();
        assertThat(backend.jobs()).doesNotContain(job.id());
        assertThat(log(job.key(0, 1))).isEqualTo("kept\n");
    }

    @Test
    void a23_aFailedStartLeavesNothingStarted() throws Exception {
        TrialJob job = job("exit 0").withCode("sha256:" + "0".repeat(64));
        Placement placement = place(job);
        assertThatThrownBy(() -> backend.start(job.launch(0, 1, placement, "/")))
                .isInstanceOf(BackendException.class)
                .hasMessageContaining("no snapshot");
        assertThat(backend.observe(job.id())).isEmpty();
        TrialJob repaired = job.withCode(snapshot(Map.of("a", "b")));
        backend.start(repaired.launch(0, 1, placement, "/"));
        assertThat(awaitEnd(job.key(0, 1)).code()).isZero();
    }

    @Test
    void a23_whatNoProgramCanBeGivenIsRefused() throws Exception {
        for (TrialJob job : List.of(
                job("exit 0").withEnv(Map.of("A", "a\0b")),
                job("exit 0").withEnv(Map.of("A=B", "c")),
                job("").withArgv("echo", "a\0b"))) {
            Placement placement = place(job);
            assertThatThrownBy(() -> backend.start(job.launch(0, 1, placement, "/")))
                    .isInstanceOfSatisfying(
                            BackendException.class,
                            refused -> assertThat(refused.kind()).isEqualTo(BackendException.Kind.REFUSED));
        }
    }

    @Test
    void b42_aProcessThatWritesMuchIsNotHeldUp() throws Exception {
        TrialJob job = job("head -c 20000000 /dev/zero | tr '\\0' x; echo END");
        start(job);
        assertThat(awaitEnd(job.key(0, 1)).code()).isZero();
        assertThat(Files.size(folders().log(job.key(0, 1)))).isEqualTo(20_000_004);
    }

    @Test
    void b45_aLineIsThereWhileTheProcessRuns() throws Exception {
        TrialJob job = job(
                "echo out; echo err >&2; printf part; while [ ! -e \"$MUSTER_CONTROL_DIR/stop\" ]; do sleep 0.05; done; echo ed");
        start(job);
        awaitLog(job.key(0, 1), "out\nerr\npart");
        assertThat(seen(job.key(0, 1))).get().isInstanceOf(Seen.Running.class);
        letGo(job);
        awaitEnd(job.key(0, 1));
        assertThat(log(job.key(0, 1))).isEqualTo("out\nerr\nparted\n");
    }

    @Test
    void whatIsWrittenIsInTheServicesFolders() throws Exception {
        String script =
                "mkdir -p \"$MUSTER_MODEL_DIR/1\" \"$MUSTER_CHECKPOINT_DIR/step-1\"; echo {} >>\"$MUSTER_REPORT_FILE\";"
                        + " echo weights >\"$MUSTER_MODEL_DIR/1/model.bin\"; echo state >\"$MUSTER_CHECKPOINT_DIR/step-1/part\";"
                        + " while [ ! -e \"$MUSTER_CONTROL_DIR/stop\" ]; do sleep 0.05; done;"
                        + " echo state2 >\"$MUSTER_CHECKPOINT_DIR/step-2\"; echo more >>\"$MUSTER_MODEL_DIR/1/model.bin\"";
        TrialJob job = job(script);
        start(job);
        Path checkpoints = folders().checkpoints(job.id());
        Path reports = folders().reports(job.key(0, 1));
        Await.until(
                "the checkpoint of a running attempt is there",
                soon(),
                () -> Files.exists(checkpoints.resolve("step-1/part"))
                        && Files.readString(checkpoints.resolve("step-1/part")).equals("state\n"));
        Await.until("its report is there", soon(), () -> Files.exists(reports) && Files.size(reports) == 3);
        letGo(job);
        assertThat(awaitEnd(job.key(0, 1)).code()).isZero();
        assertThat(Files.readString(reports)).isEqualTo("{}\n");
        restarted().collect(job.id());
        Path model = folders().model(job.key(0, 1));
        assertThat(Files.readString(model.resolve("1/model.bin"))).isEqualTo("weights\nmore\n");
        assertThat(Files.readString(checkpoints.resolve("step-2"))).isEqualTo("state2\n");
        backend.collect(job.id());
        // Taken over by the registry: renamed away, with all that is in it.
        Files.move(model, model.resolveSibling("taken"));
        backend.collect(job.id());
        assertThat(model).doesNotExist();
    }

    @Test
    void outOfMemoryIsToldFromAKillAndHarmsNoNeighbour() throws Exception {
        String grow = "import time; print('ready', flush=True); b = []\n"
                + "while True: b.append(bytearray(8 << 20)); time.sleep(0.01)";
        TrialJob job = Ability.MEMORY_LIMIT.asked(job("").withArgv("python3", "-c", grow));
        if (declines().contains(Ability.MEMORY_LIMIT)) {
            assertThat(backend.check(job.spec())).isNotEmpty();
            return;
        }
        TrialJob calm = Ability.MEMORY_LIMIT.asked(job("sleep 600"));
        start(calm);
        Seen.Running beside = awaitRunning(calm.key(0, 1));
        start(job);
        Seen.Ended end = awaitEnd(job.key(0, 1));
        assertThat(end.code()).isEqualTo(137);
        assertThat(end.outOfMemory()).isTrue();
        assertThat(awaitRunning(calm.key(0, 1)).pid()).isEqualTo(beside.pid());
        backend.stop(calm.key(0, 1), StopHow.KILL);
        Seen.Ended killed = awaitEnd(calm.key(0, 1));
        assertThat(killed.code()).isEqualTo(137);
        assertThat(killed.outOfMemory()).as("killed by us, not for its memory").isFalse();
    }

    @ParameterizedTest
    @EnumSource(Ability.class)
    void whatIsDeclinedIsRefusedAndTheRestIsTaken(Ability ability) {
        List<Problem> problems = backend.check(ability.asked(job("exit 0")).spec());
        if (declines().contains(ability)) {
            assertThat(problems).singleElement().satisfies(problem -> {
                assertThat(problem.field()).startsWith(ability.field());
                assertThat(problem.message()).isNotBlank();
                assertThat(problem.suggestion()).as("what to do instead").isPresent();
            });
        } else {
            assertThat(problems).isEmpty();
        }
    }

    @Test
    void aJobForAnotherBackendIsRefused() {
        BackendKind other = kind() == BackendKind.LOCAL ? BackendKind.DOCKER : BackendKind.LOCAL;
        TrialJob stranger = TrialJob.script(job("").id(), other, "exit 0").withImage("image:1");
        assertThat(backend.check(stranger.spec())).extracting(Problem::field).contains("backend");
    }

    @Test
    void whereThereAreContainersAJobWithoutAnImageIsRefused() {
        TrialJob without = TrialJob.script(job("").id(), kind(), "exit 0");
        assertThat(backend.check(without.spec()))
                .extracting(Problem::field)
                .isEqualTo(image().isPresent() ? List.of("environment.image") : List.of());
    }
}
