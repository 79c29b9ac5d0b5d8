package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.model.JobId;
import dev.muster.model.Placement;
import dev.muster.spi.Backend.StopHow;
import dev.muster.spi.BackendException;
import dev.muster.spi.CodeStore;
import dev.muster.spi.Rendered;
import dev.muster.spi.Sighting.Seen;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every backend keeps to. It runs real processes: POSIX {@code sh}, and {@code python3} where one has to listen. An implementation
 * extends this and says where things are; what only it can do it tests beside this.
 */
public abstract class BackendTck extends BackendTrial {
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
    void anAttemptThatWasNeverStartedHasNoSighting() throws Exception {
        TrialJob job = job("exit 0");
        assertThat(backend.observe(job.id())).isEmpty();
        backend.place(job.id(), 1, job.spec(), job.plan());
        assertThat(backend.observe(job.id())).isEmpty();
        backend.stop(job.key(0, 1), StopHow.KILL);
        backend.sweep(job.key(0, 1));
        assertThat(backend.observe(job.id())).isEmpty();
    }

    @Test
    void a12_anAttemptIsStartedOnceHoweverOftenItIsAsked() throws Exception {
        TrialJob job = job("echo started; sleep 600");
        Placement placement = start(job);
        backend.start(job.launch(0, 1, placement, "/"));
        awaitLog(job.key(0, 1), "started");
        restarted().start(job.launch(0, 1, placement, "/"));
        backend.stop(job.key(0, 1), StopHow.KILL);
        assertThat(awaitEnd(job.key(0, 1)).code()).isEqualTo(137);
        backend.start(job.launch(0, 1, placement, "/"));
        assertThat(awaitEnd(job.key(0, 1)).code()).isEqualTo(137);
        assertThat(log(job.key(0, 1))).isEqualTo("started\n");
    }

    @Test
    void a12_aNewServiceSeesWhatRunsAndHowItEnds() throws Exception {
        TrialJob job = job("while [ ! -e \"$MUSTER_CONTROL_DIR/go\" ]; do sleep 0.05; done; exit 3");
        start(job);
        Seen.Running before = awaitRunning(job.key(0, 1));
        restarted();
        Seen.Running after = awaitRunning(job.key(0, 1));
        assertThat(after.pid()).isEqualTo(before.pid());
        assertThat(after.startedAt()).isEqualTo(before.startedAt());
        Files.createFile(folders().control(job.id()).resolve("go"));
        assertThat(awaitEnd(job.key(0, 1)).code()).isEqualTo(3);
    }

    @Test
    void a14_anEndWhileNoServiceLivedIsSeenLater() throws Exception {
        TrialJob job = job("while [ ! -e \"$MUSTER_CONTROL_DIR/go\" ]; do sleep 0.05; done; kill -SEGV $$");
        start(job);
        awaitRunning(job.key(0, 1));
        backend.close();
        Files.createFile(folders().control(job.id()).resolve("go"));
        Await.until("it ends", SOON, () -> processesOf(job.id()).isEmpty());
        restarted();
        assertThat(awaitEnd(job.key(0, 1)).code()).isEqualTo(139);
    }

    @Test
    void b46_eachAttemptHasItsOwnLogAndEnd() throws Exception {
        TrialJob job = job("echo attempt $MUSTER_ATTEMPT; exit $MUSTER_ATTEMPT");
        Placement placement = start(job);
        awaitEnd(job.key(0, 1));
        backend.start(job.launch(0, 2, placement, "/"));
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
    void b24_theEndIsThatOfTheMainProcessAndLeftoversAreSwept() throws Exception {
        TrialJob job = job("sleep 600 & echo $! >pid; echo done; exit 0");
        start(job);
        assertThat(awaitEnd(job.key(0, 1)).code()).isZero();
        backend.sweep(job.key(0, 1));
        assertNothingRuns(job.id());
        assertThat(awaitEnd(job.key(0, 1)).code()).isZero();
    }

    @Test
    void a48_askedToEndAProcessMaySave() throws Exception {
        TrialJob job = job("trap 'echo saved; exit 7' TERM; echo ready; while :; do sleep 0.05; done");
        start(job);
        awaitLog(job.key(0, 1), "ready");
        backend.stop(job.key(0, 1), StopHow.ASK);
        assertThat(awaitEnd(job.key(0, 1)).code()).isEqualTo(7);
        assertThat(log(job.key(0, 1))).isEqualTo("ready\nsaved\n");
    }

    @Test
    void b48_aShellDoesNotSwallowTheRequestToEnd() throws Exception {
        String training = "trap 'sleep 0.3; echo saved; exit 0' TERM; echo ready; while :; do sleep 0.05; done";
        TrialJob job = job("sh -c \"$TRAINING\" & wait").withEnv(Map.of("TRAINING", training));
        start(job);
        awaitLog(job.key(0, 1), "ready");
        backend.stop(job.key(0, 1), StopHow.ASK);
        awaitEnd(job.key(0, 1));
        assertThat(log(job.key(0, 1))).isEqualTo("ready\nsaved\n");
    }

    @Test
    void b47_nothingOfATreeIsLeft() throws Exception {
        TrialJob job = job("sh -c 'trap \"\" TERM; (setsid sleep 600 &) ; sleep 600 & sleep 600' & echo ready; wait");
        start(job);
        awaitLog(job.key(0, 1), "ready");
        Await.until("the tree is there", SOON, () -> processesOf(job.id()).size() >= 4);
        backend.stop(job.key(0, 1), StopHow.KILL);
        awaitEnd(job.key(0, 1));
        assertNothingRuns(job.id());
        backend.stop(job.key(0, 1), StopHow.KILL);
        backend.stop(job.key(0, 1), StopHow.ASK);
        backend.sweep(job.key(0, 1));
    }

    @Test
    void a16_aNeighbourLivesOn() throws Exception {
        TrialJob job = job("sleep 600").withWorkers(2);
        TrialJob neighbour = job("sleep 600");
        start(job);
        start(neighbour);
        awaitRunning(job.key(0, 1));
        Seen.Running other = awaitRunning(job.key(1, 1));
        Seen.Running stranger = awaitRunning(neighbour.key(0, 1));
        backend.stop(job.key(0, 1), StopHow.KILL);
        backend.sweep(job.key(0, 1));
        awaitEnd(job.key(0, 1));
        assertThat(awaitRunning(job.key(1, 1)).pid()).isEqualTo(other.pid());
        assertThat(awaitRunning(neighbour.key(0, 1)).pid()).isEqualTo(stranger.pid());
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
        backend.start(job.launch(0, 2, placement, "/"));
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
        backend.start(job.launch(0, 2, placement, "/"));
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
        backend.start(job.launch(0, 2, placement, "/"));
        assertThat(awaitEnd(job.key(0, 2)).code()).isZero();
        assertThat(log(job.key(0, 1))).isEqualTo("model.bin\n");
        assertThat(log(job.key(0, 2))).isEqualTo("model.bin\n");
    }

    @Test
    void a48_twoJobsNeverShareACheckpointFolder() throws Exception {
        String script =
                "touch \"$MUSTER_CHECKPOINT_DIR/$MUSTER_JOB_ID.$MUSTER_INDEX\"; while [ ! -e \"$MUSTER_CONTROL_DIR/go\" ];"
                        + " do sleep 0.05; done; ls \"$MUSTER_CHECKPOINT_DIR\"";
        List<TrialJob> jobs = List.of(job(script).withWorkers(2), job(script).withWorkers(2));
        for (TrialJob job : jobs) {
            start(job);
        }
        for (TrialJob job : jobs) {
            Path checkpoints = folders().checkpoints(job.id());
            for (int index = 0; index < 2; index++) {
                Path own = checkpoints.resolve(job.id() + "." + index);
                Await.until(own + " is there", SOON, () -> Files.exists(own));
            }
        }
        for (TrialJob job : jobs) {
            Files.createFile(folders().control(job.id()).resolve("go"));
            for (int index = 0; index < 2; index++) {
                assertThat(awaitEnd(job.key(index, 1)).code()).isZero();
                assertThat(log(job.key(index, 1))).isEqualTo(job.id() + ".0\n" + job.id() + ".1\n");
            }
        }
    }

    @Test
    void b18_missingDataIsNamed() throws Exception {
        TrialJob job = job("exit 0").withData(Map.of("images", "no/such/folder"));
        Placement placement = backend.place(job.id(), 1, job.spec(), job.plan());
        assertThatThrownBy(() -> backend.start(job.launch(0, 1, placement, "/tmp")))
                .isInstanceOfSatisfying(BackendException.class, refused -> {
                    assertThat(refused.kind()).isEqualTo(BackendException.Kind.REFUSED);
                    assertThat(refused).hasMessageContaining("images").hasMessageContaining("no/such/folder");
                });
        assertThat(backend.observe(job.id())).isEmpty();
    }

    @Test
    void a20_everyMemberHasItsOwnAddress() throws Exception {
        TrialJob job = job("exit 0").withWorkers(3).withPorts("a", "b");
        Placement placement = backend.place(job.id(), 1, job.spec(), job.plan());
        List<String> addresses = new ArrayList<>();
        placement
                .ports()
                .forEach((member, ports) -> ports.values()
                        .forEach(port -> addresses.add(placement.hosts().get(member) + " " + port)));
        assertThat(addresses).hasSize(6).doesNotHaveDuplicates();
    }

    @Test
    void theSameAttemptIsPlacedTheSameAlsoByANewService() throws Exception {
        TrialJob job = job("exit 0").withWorkers(2).withPorts("a");
        Placement first = backend.place(job.id(), 1, job.spec(), job.plan());
        assertThat(backend.place(job.id(), 1, job.spec(), job.plan())).isEqualTo(first);
        assertThat(restarted().place(job.id(), 1, job.spec(), job.plan())).isEqualTo(first);
        backend.release(job.id());
        backend.release(job.id());
    }

    @Test
    void a21_twoJobsAtOnceDoNotClash() throws Exception {
        TrialJob one = job("exit 0").withWorkers(8).withPorts("a");
        TrialJob two = job("exit 0").withWorkers(8).withPorts("a");
        List<String> addresses = new ArrayList<>();
        for (TrialJob job : List.of(one, two)) {
            Placement placement = backend.place(job.id(), 1, job.spec(), job.plan());
            placement
                    .ports()
                    .forEach((member, ports) -> ports.values()
                            .forEach(port -> addresses.add(placement.hosts().get(member) + " " + port)));
        }
        assertThat(addresses).hasSize(16).doesNotHaveDuplicates();
    }

    @Test
    void aSampleHasTheFormOfAPlacement() throws Exception {
        TrialJob job = job("exit 0").withWorkers(2).withPorts("a", "b");
        Placement sample = backend.sample(job.spec(), job.plan());
        Placement real = backend.place(job.id(), 1, job.spec(), job.plan());
        assertThat(sample.hosts().keySet()).isEqualTo(real.hosts().keySet());
        assertThat(sample.ports().keySet()).isEqualTo(real.ports().keySet());
        assertThat(backend.render(job.launch(1, 1, sample, "/")).env().keySet())
                .isEqualTo(backend.render(job.launch(1, 1, real, "/")).env().keySet());
    }

    @Test
    void aChangeIsToldSoon() throws Exception {
        ConcurrentLinkedQueue<JobId> told = new ConcurrentLinkedQueue<>();
        backend.listen(told::add);
        TrialJob job = job("while [ ! -e \"$MUSTER_CONTROL_DIR/go\" ]; do sleep 0.05; done");
        start(job);
        Await.until("the start is told", SOON, () -> told.contains(job.id()));
        awaitRunning(job.key(0, 1));
        Await.until("quiet", SOON, () -> told.poll() == null);
        Files.createFile(folders().control(job.id()).resolve("go"));
        Await.until("the end is told", SOON, () -> told.contains(job.id()));
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
    void anAskedEndBeforeTheProgramRunsIsNotLost() throws Exception {
        TrialJob job = job("sleep 600").withWorkers(4);
        Placement placement = backend.place(job.id(), 1, job.spec(), job.plan());
        for (int index = 0; index < job.workers(); index++) {
            backend.start(job.launch(index, 1, placement, "/"));
            backend.stop(job.key(index, 1), StopHow.KILL);
        }
        for (int index = 0; index < job.workers(); index++) {
            assertThat(awaitEnd(job.key(index, 1)).code()).isEqualTo(137);
        }
        assertNothingRuns(job.id());
    }
}
