package dev.muster.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.RestartPolicy.Action;
import dev.muster.model.RestartPolicy.Rule;
import dev.muster.model.RestartScope;
import dev.muster.spi.Telemetry.LogFindings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LogExaminationTest {
    /** What mpirun of Open MPI 4.1 prints when a daemon has not reported. */
    private static final String PAGE = """
            --------------------------------------------------------------------------
            ORTE was unable to reliably start one or more daemons.
            This usually is caused by:

            * not finding the required libraries and/or binaries on
              one or more nodes. Please check your PATH and LD_LIBRARY_PATH
              settings, or configure OMPI with --enable-orterun-prefix-by-default
            %s
            * an inability to create a connection back to mpirun due to a
              lack of common network interfaces and/or no route found between
              them. Please check network connectivity (including firewalls
              and network routing requirements).
            --------------------------------------------------------------------------
            """.formatted("\n* and so on\n".repeat(8));

    /** What torchrun of PyTorch 2 prints when a worker is killed. */
    private static String torchrun(int exit, String message, int line) {
        return """
               E1129 20:57:27.620000 2606 torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: %1$d) local_rank: 1 (pid: 2630) of binary: /usr/bin/python3
               Traceback (most recent call last):
                 File "/usr/bin/torchrun", line %3$d, in <module>
               torch.distributed.elastic.multiprocessing.errors.ChildFailedError:
               ============================================================
               train.py FAILED
               ------------------------------------------------------------
               Failures:
                 <NO_OTHER_FAILURES>
               ------------------------------------------------------------
               Root Cause (first observed failure):
               [0]:
                 time      : 2026-11-29_20:57:27
                 host      : localhost
                 rank      : 1 (local_rank: 1)
                 exitcode  : %1$d (pid: 2630)
                 error_file: <N/A>
                 traceback : %2$s
               ============================================================
               """.formatted(exit, message, line);
    }

    private static String horovodrun(int first, int second) {
        return """
               Process 1 exit with status code %1$d.
               Terminating remaining workers after failure of Process 1.
               Process 0 exit with status code %2$d.
               Traceback (most recent call last):
               RuntimeError: Horovod detected that one or more processes exited with non-zero status, thus causing the job to be terminated. The first process to do so was:
               Process name: 1
               Exit code: %1$d
               """.formatted(first, second);
    }

    static List<String> killed() {
        return List.of(
                torchrun(-9, "Signal 9 (SIGKILL) received by PID 2630", 8),
                torchrun(-15, "Signal 15 (SIGTERM) received by PID 2630", 8),
                torchrun(137, "To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html", 8),
                "[2026-11-29 17:40:02,544] torch.distributed.elastic.multiprocessing.api: [ERROR] failed (exitcode: -9) local_rank: 0 (pid: 62498) of binary: /opt/bin/python\n",
                horovodrun(137, 143),
                "Process 0 exit with status code 137.\n",
                "mpirun noticed that process rank 1 with PID 21183 on node host01 exited on signal 9 (Killed).\n",
                "prterun noticed that process rank 1 with PID 21183 on node localhost exited on signal 9\n(Killed).\n",
                "mpiexec noticed that process rank 1 with PID 0 on node 23b618774973\nexited on signal 15 (Terminated).\n",
                "worker-1: Open MPI's daemon ended with exit code 137: Killed\n" + PAGE,
                "YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Killed (signal 9)\n",
                "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n=   RANK 1 PID 65033 RUNNING AT one\n=   KILLED BY SIGNAL: 9 (Killed)\n");
    }

    static List<String> notKilled() {
        return List.of(
                torchrun(1, "To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html", 8),
                torchrun(9, "none", 8),
                torchrun(-11, "Signal 11 (SIGSEGV) received by PID 2630", 8),
                torchrun(1, "root", 8)
                        .replace(
                                "  <NO_OTHER_FAILURES>",
                                "[1]:\n  time      : t\n  exitcode  : -9 (pid: 7)\n  traceback : Signal 9 (SIGKILL) received by PID 7"),
                horovodrun(1, 137),
                horovodrun(2, 143),
                "Process 0 exit with status code 143.\n" + horovodrun(1, 143),
                "Process 0 exit with status code 1.\nProcess 1 exit with status code 137.\n",
                "mpirun noticed that process rank 0 with PID 7 on node one exited on signal 11 (Segmentation fault).\n",
                "worker-1: Open MPI's daemon ended with exit code 213: it said nothing\n" + PAGE,
                "a line about signal 9 (Killed) of the user's own\n",
                "");
    }

    @TempDir
    Path folder;

    private final List<String> remarks = new ArrayList<>();

    @Test
    void anErrorIsToldAndNotWhatLibrariesWriteWhenTheProcessLeaves() throws IOException {
        String traceback = """
                Traceback (most recent call last):
                  File "train.py", line 4, in <module>
                    raise ValueError("no such column: label")
                ValueError: no such column: label
                """;
        assertThat(of(traceback
                                + "W1130 13:20:01 local_rendezvous.cc:412] Local rendezvous is aborting\nsaved 3 files\n")
                        .lastLine())
                .contains("ValueError: no such column: label");
        assertThat(of(traceback.replaceAll("(?m)^", "[default0]:") + "[default0]:bye\n")
                        .lastLine())
                .contains("[default0]:ValueError: no such column: label");
        assertThat(of("ValueError: told by a print alone\nno more rows\n").lastLine())
                .contains("no more rows");
    }

    private LogFindings of(String log, Rule... rules) throws IOException {
        return new LogExamination(remarks::add).of(Files.writeString(folder.resolve("a1.log"), log), List.of(rules));
    }

    private static Rule rule(String pattern) {
        return new Rule(
                Set.of(), Set.of(), Optional.of(Pattern.compile(pattern)), Action.RESTART, true, RestartScope.DEFAULT);
    }

    @ParameterizedTest
    @MethodSource("killed")
    void aKilledChildIsKnownByTheWordsOfItsLauncher(String log) throws IOException {
        assertThat(of("step 1\n" + log + "bye\n").peerKilled()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("notKilled")
    void anythingElseIsNoKilledChild(String log) throws IOException {
        assertThat(of("step 1\n" + log + "bye\n").peerKilled()).isFalse();
    }

    @Test
    void whoSaysLastThatAPeerIsGoneHasLostIt() throws IOException {
        String closed =
                "RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:598] Connection closed by peer [127.0.0.1]:20001\n";
        String frames = "frame #0: c10::Error + 0x3d (0x7f in libc10.so)\n".repeat(40);
        assertThat(of("step 1\n" + closed).peerLost()).isTrue();
        assertThat(of("step 1\n" + closed + frames).peerLost()).isTrue();
        assertThat(of(closed + "step\n".repeat(30) + "KeyError: 'loss'\n").peerLost())
                .isFalse();
    }

    @Test
    void whatTensorFlowSaysBelowALostPeerIsNotTheReason() throws IOException {
        LogFindings findings = of("""
                tensorflow.python.framework.errors_impl.DeadlineExceededError: Graph execution error:

                Collective ops is aborted by: Deadline Exceeded

                RPC: /tensorflow.CoordinationService/Heartbeat
                The error could be from a previous operation. Restart your program to reset.
                \t [[{{node CollectiveReduceV2}}]] [Op:__inference_train_84]
                """);
        assertThat(findings.peerLost()).isTrue();
        assertThat(findings.lastLine()).contains("Collective ops is aborted by: Deadline Exceeded");
    }

    @Test
    void whyADaemonIsGoneIsTheReasonAndNotAllThatMpirunThinksOf() throws IOException {
        String daemon = "worker-1: Open MPI's daemon ended with exit code 127: sh: 1: orted: not found";
        assertThat(of("step 1\n" + daemon + "\n" + PAGE).lastLine()).contains(daemon);
        assertThat(of(daemon + "\n" + daemon.replace("-1", "-2") + "\n" + PAGE).lastLine())
                .contains(daemon);
        assertThat(of(PAGE + daemon + "\n").lastLine()).contains(daemon);
        assertThat(of(daemon + "\n" + PAGE + "step\n".repeat(2000)).lastLine()).contains("step");
        assertThat(of(daemon + "\nValueError: the script went on\n").lastLine())
                .contains("ValueError: the script went on");
    }

    @ParameterizedTest
    @ValueSource(strings = {"""
                RULE
                Primary job  terminated normally, but 1 process returned
                a non-zero exit code. Per user-direction, the job has been aborted.
                RULE
                RULE
                mpirun detected that one or more processes exited with non-zero status, thus causing
                the job to be terminated. The first process to do so was:

                  Process name: [[18412,1],0]
                  Exit code:    2
                RULE
                """, """
                RULE
                prterun detected that one or more processes exited with non-zero status,
                thus causing the job to be terminated. The first process to do so was:

                   Process name: [prterun-host-28063@1,3]
                   Exit code:    2
                RULE
                """})
    void thePageBelowWhatRanksSaidIsNotTheReason(String page) throws IOException {
        String said = "python3: can't open file 'sum.py': [Errno 2] No such file or directory\n";
        String pages = page.replace("RULE", "-".repeat(74));
        assertThat(of("step 1\n" + said + pages).lastLines()).containsExactly("step 1", said.strip());
        assertThat(of(pages).lastLines())
                .describedAs("nothing above it")
                .anyMatch(line -> line.endsWith("Exit code:    2"));
    }

    @Test
    void mpirunHasLostAPeerWhenTheConnectionToAnAgentEnds() throws IOException {
        assertThat(of("step 1\nworker-1: the connection to its agent has ended\n" + PAGE)
                        .peerLost())
                .isTrue();
        assertThat(of("step 1\n" + PAGE).peerLost()).isFalse();
    }

    @Test
    void whoseGroupIsOverForTheRanksOfAnotherHasLostAPeer() throws IOException {
        String over = "muster: the ranks do not start anew: those of another worker failed too often and the group is"
                + " over; that worker's log says why\n";
        assertThat(of("step 1\n" + failure("RuntimeError: Connection closed by peer") + failed(1, 0) + over)
                        .peerLost())
                .isTrue();
        assertThat(of(over + failure("KeyError: 'loss'") + failed(1, 0)).peerLost())
                .isFalse();
    }

    @Test
    void whoRaisesAnErrorOfItsOwnAfterwardsHasNotLostAPeer() throws IOException {
        for (String error : List.of("KeyError: 'loss'", "[default0]:KeyError: 'loss'", "[rank0]: my.own.Exception")) {
            LogFindings findings = of("WARNING Connection reset by peer, tries again\nstep 7\n" + error + "\n");
            assertThat(findings.peerLost()).isFalse();
            assertThat(findings.lastLine()).contains(error);
        }
        assertThat(of("RuntimeError: Connection closed by peer\nException ignored in: x\n")
                        .peerLost())
                .isTrue();
    }

    @Test
    void theLastLineBelowTorchrunIsThatOfTheRank() throws IOException {
        String epilogue = """
                WARNING:torch.distributed.elastic.multiprocessing.api:Sending process 7 closing signal SIGTERM
                ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: 1) local_rank: 0 (pid: 6) of binary: /usr/bin/python3
                Traceback (most recent call last):
                torch.distributed.elastic.multiprocessing.errors.ChildFailedError:
                  traceback : To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html
                ============================================================
                """;
        assertThat(of("[default0]:KeyError: 'loss'\n" + epilogue).lastLine()).contains("[default0]:KeyError: 'loss'");
        assertThat(of(epilogue).lastLine().orElseThrow()).contains("traceback");
    }

    private static final String CLOSING =
            "WARNING:torch.distributed.elastic.multiprocessing.api:Sending process %d closing signal SIGTERM\n";

    private static String failed(int code, int localRank) {
        return "ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: " + code + ") local_rank: "
                + localRank + " (pid: 6) of binary: /usr/bin/python3\n";
    }

    private static String failure(String error) {
        return "Traceback (most recent call last):\n  File \"train.py\", line 7, in <module>\n" + error + "\n";
    }

    @Test
    void belowATorchrunWithRoundsOfItsOwnTheReasonIsThatOfTheLast() throws IOException {
        String rounds = "step 1\n" + failure("OSError: No space left on device") + CLOSING.formatted(7) + failed(1, 0)
                + "step 2\n" + failure("KeyError: 'loss'") + CLOSING.formatted(17) + torchrun(1, "-", 8);
        assertThat(of(rounds).lastLine()).contains("KeyError: 'loss'");
        assertThat(of(rounds).diskFull()).isFalse();
        assertThat(of(failed(-9, 1) + failure("KeyError: 'loss'") + torchrun(1, "-", 8))
                        .peerKilled())
                .isFalse();
        assertThat(of(failed(-9, 1) + failure("KeyError: 'loss'") + failed(1, 0))
                        .peerKilled())
                .isFalse();
        assertThat(of(failure("KeyError: 'loss'") + failed(1, 0) + "step 3\n" + failed(-9, 1))
                        .peerKilled())
                .isTrue();
        assertThat(of(failure("KeyError: 'loss'") + CLOSING.formatted(7) + failed(1, 0) + "step 3\n")
                        .lastLine())
                .contains("step 3");
    }

    @Test
    void whatWasSaidBeforeTheRanksOfAnElasticGroupStartedAnewIsNoReason() throws IOException {
        String anew = failure("KeyError: 'loss'") + failed(-9, 0) + "muster: the ranks start anew, on 2 workers\n";
        assertThat(of(anew).lastLine())
                .describedAs("its ranks are silent since")
                .isEmpty();
        assertThat(of(anew).peerKilled()).isFalse();
        assertThat(of(anew + "step 4\n").lastLine()).contains("step 4");
        assertThat(of(anew + failure("OSError: no") + failed(1, 0)).lastLine()).contains("OSError: no");
    }

    @Test
    void ranksThatEndedAsTheGroupHasChangedAreNoFailure() throws IOException {
        String changed = "step 1\n" + CLOSING.formatted(7) + CLOSING.formatted(8) + "step 2\n";
        assertThat(of(changed).lastLine()).contains("step 2");
        assertThat(of(changed + failure("KeyError: 'loss'") + torchrun(1, "-", 8))
                        .lastLine())
                .contains("KeyError: 'loss'");
    }

    @Test
    void whatARankSaysThatTorchrunEndsIsNotTheReason() throws IOException {
        String lost = failure("RuntimeError: Connection closed by peer");
        String log = failure("KeyError: 'loss'") + CLOSING.formatted(8) + lost + failed(1, 0);
        assertThat(of(log).lastLine()).contains("KeyError: 'loss'");
        assertThat(of(log).peerLost()).isFalse();
        String told = "[default0]:KeyError: 'loss'\nstep 1\n" + CLOSING.formatted(8)
                + "[default1]:Connection closed by peer\n[default10]:late\n" + failed(1, 0);
        assertThat(of(told).lastLines()).containsExactly("[default0]:KeyError: 'loss'");
    }

    @Test
    void sharedMemoryThatIsUsedUpIsToldFromADiskThatIsFull() throws IOException {
        for (String told : List.of(
                "dd: error writing '/dev/shm/x': No space left on device",
                "RuntimeError: unable to write to file </torch_41_7_0>: No space left on device (28)",
                "NCCL WARN Error while creating shared memory segment /dev/shm/nccl-x4 (size 33030272)",
                "NCCL WARN Error: failed to extend /dev/shm/nccl-x4 to 33030276 bytes, error: No space left on device (28)",
                "ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory (shm).",
                "RuntimeError: DataLoader worker (pid 7) is killed by signal: Bus error. It is possible that dataloader's"
                        + " workers are out of shared memory.")) {
            assertThat(of("begin\n" + told + "\n").sharedMemoryFull()).as(told).isTrue();
        }
        assertThat(of("reads /dev/shm/x\nOSError: [Errno 28] No space left on device: '/x'\n")
                        .sharedMemoryFull())
                .isFalse();
    }

    @Test
    void whatFollowsAFullDiskIsNotTheReason() throws IOException {
        String dd = "dd: error writing '/dev/shm/x': No space left on device";
        assertThat(of(dd + "\n65+0 records in\n64+0 records out\n67108864 bytes (64.0MB) copied\n")
                        .lastLine())
                .contains(dd);
    }

    @Test
    void aFullDiskIsSeenInTheLastMebibyteOnly() throws IOException {
        String full = "OSError: [Errno 28] No space left on device: '/x'\n";
        assertThat(of("begin\n" + full).diskFull()).isTrue();
        assertThat(of("begin\n").diskFull()).isFalse();
        assertThat(of(full + "x\n".repeat(1 << 19)).diskFull()).isFalse();
        assertThat(of("x\n".repeat(1 << 20) + full).diskFull()).isTrue();
    }

    @Test
    void rulesAreFoundByIndexAndLineByLine() throws IOException {
        Rule none = new Rule(Set.of(3), Set.of(), Optional.empty(), Action.FAIL, true, RestartScope.DEFAULT);
        LogFindings findings = of(
                "start\nNCCL error: unhandled\nCUDA out of memory\nend\n",
                rule("^NCCL error"),
                none,
                rule("nosuch"),
                rule("out of memory$"),
                rule("unhandled\\nCUDA"));
        assertThat(findings.rules()).containsExactlyInAnyOrder(0, 3, 4);
        assertThat(remarks).isEmpty();
    }

    @Test
    @Timeout(20)
    void aPatternThatNeverEndsCountsAsNotFoundAndIsNamed() throws IOException {
        long begun = System.nanoTime();
        LogFindings findings =
                of("a".repeat(60) + "!\nafter\n", rule("((a|aa)+)+c"), rule("(a|aa)*\\1c"), rule("after"));
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(15));
        assertThat(findings.rules()).containsExactly(2);
        assertThat(remarks).hasSize(2).first().asString().contains("restart.rules[0].log");
    }

    @Test
    void aPatternThatNeedsTooMuchStackCountsAsNotFound() throws IOException {
        LogFindings findings = of("ab".repeat(200_000) + "!\nafter\n", rule("(a|b)*c"), rule("after"));
        assertThat(findings.rules()).containsExactly(1);
        assertThat(remarks).hasSize(1);
    }

    @Test
    void theLastLinesAreKept() throws IOException {
        LogFindings findings = of("x\n".repeat(100) + "10%\r20%\r100%\nValueError: no\n\nlast without end");
        assertThat(findings.lastLines()).hasSize(20).endsWith("x", "100%", "ValueError: no", "", "last without end");
        assertThat(findings.lastLine()).contains("last without end");
        assertThat(of("y".repeat(1 << 20)).lastLines())
                .singleElement()
                .satisfies(line -> assertThat(line).hasSize(501).endsWith("\u2026"));
    }

    @Test
    void aProcessThatSaidNothingHasNoFindings() {
        assertThat(new LogExamination(remarks::add).of(folder.resolve("nosuch.log"), List.of()))
                .isEqualTo(LogFindings.NONE);
        assertThat(remarks).isEmpty();
    }
}
