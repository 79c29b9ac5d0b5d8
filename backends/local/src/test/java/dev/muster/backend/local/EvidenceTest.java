package dev.muster.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.formats.proc.WantedTime;
import dev.muster.model.BackendKind;
import dev.muster.model.ProcessKey;
import dev.muster.spi.Backend.StopHow;
import dev.muster.spi.Evidence;
import dev.muster.spi.Evidence.Doing;
import dev.muster.spi.JobFolders;
import dev.muster.spi.Sighting.Seen;
import dev.muster.testkit.Await;
import dev.muster.testkit.BackendTrial;
import dev.muster.testkit.TrialJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is seen of real processes that do not go on, and that seeing it harms none. */
class EvidenceTest extends BackendTrial {
    private static final String CLIENT =
            Path.of("../../clients/python").toAbsolutePath().normalize().toString();

    @TempDir
    private Path folder;

    private LocalPlace place() {
        return new LocalPlace(folder, UnaryOperator.identity());
    }

    @Override
    protected LocalBackend open() {
        return new LocalBackend(place().config());
    }

    @Override
    protected BackendKind kind() {
        return BackendKind.LOCAL;
    }

    @Override
    protected JobFolders folders() {
        return place().folders();
    }

    private ProcessKey python(String script) throws Exception {
        TrialJob job = job("").withArgv("/usr/bin/python3", "-c", script)
                .withEnv(Map.of("PYTHONPATH", CLIENT, "TOKEN", "no-secret-leaves"));
        start(job);
        awaitLog(job.key(0, 1), "ready");
        return job.key(0, 1);
    }

    private Doing main(ProcessKey key) throws Exception {
        Doing main = backend.evidence(key).processes().getFirst();
        assertThat(main.program()).startsWith("python3");
        return main;
    }

    private List<String> files(ProcessKey key) throws IOException {
        try (Stream<Path> files = Files.list(folders().evidence(key))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void aProcessInALoopWantsACoreAndGoesOn() throws Exception {
        ProcessKey key = python("print('ready', flush=True)\nwhile True: pass");
        Doing main = main(key);
        assertThat(main.cores()).isGreaterThan(0.5);
        assertThat(main.state()).isEqualTo('R');
        assertThat(awaitRunning(key).pid()).hasValue(main.pid());
    }

    @Test
    void aProcessThatIsStoppedIsSeenSoAndStaysSo() throws Exception {
        ProcessKey key = python("import os, signal\nprint('ready', flush=True)\nos.kill(os.getpid(), signal.SIGSTOP)");
        Doing main = main(key);
        assertThat(main.state()).isEqualTo('T');
        assertThat(main.stack()).isEmpty();
        assertThat(main(key).state()).isEqualTo('T');
        backend.stop(key, StopHow.KILL);
        assertThat(awaitEnd(key).code()).isEqualTo(137);
    }

    @Test
    void callsAreToldByAProcessThatHasReportedAndItGoesOn() throws Exception {
        ProcessKey key = python("""
                import threading, time
                import muster
                muster.report(step=1)
                threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
                def waits_here():
                    print('ready', flush=True)
                    while not threading.Event().wait(2): print('alive', flush=True)
                waits_here()
                """);
        Doing main = main(key);
        assertThat(main.stack()).anyMatch(call -> call.startsWith("waits_here (<string>:"));
        assertThat(main.stack()).noneMatch(call -> call.contains("threading.py") && call.startsWith("run "));
        assertThat(main.cores()).isLessThan(0.5);
        awaitLog(key, "alive");
        assertThat(files(key)).anyMatch(name -> name.endsWith("-stacks.txt"));
        assertThat(Files.readString(folders().evidence(key).resolve("summary.txt")))
                .contains("process " + main.pid(), "waits_here");
    }

    @Test
    void aProcessThatHasNotSaidWhichSignalItAnswersIsSentNone() throws Exception {
        ProcessKey key = python("print('ready', flush=True)\nimport time\ntime.sleep(600)");
        assertThat(main(key).stack()).isEmpty();
        assertThat(awaitRunning(key)).isInstanceOf(Seen.Running.class);
        assertThat(files(key)).noneMatch(name -> name.endsWith("-stacks.txt"));
    }

    @Test
    void aLinkInPlaceOfTheFileIsNotFollowed() throws Exception {
        ProcessKey key = python("""
                import os, signal, time
                import muster
                muster.report(step=1)
                file = os.path.dirname(os.environ['MUSTER_REPORT_FILE']) + '/stacks-%d' % os.getpid()
                os.rename(file, file + '.real')
                os.symlink(file + '.real', file)
                print('ready', flush=True)
                time.sleep(600)
                """);
        assertThat(main(key).stack()).isEmpty();
    }

    @Test
    void bytesThatAPeerDoesNotTakeAreSeen() throws Exception {
        ProcessKey key = python("""
                import socket, time
                server = socket.create_server(('127.0.0.1', 0))
                client = socket.create_connection(server.getsockname())
                peer = server.accept()[0]
                client.setblocking(False)
                try:
                    while True: client.send(b'x' * 65536)
                except BlockingIOError: pass
                print('ready', flush=True)
                time.sleep(600)
                """);
        Evidence evidence = backend.evidence(key);
        assertThat(evidence.links()).hasSize(2);
        assertThat(evidence.links())
                .anyMatch(link -> link.unsent() > 0 && link.remote().startsWith("127.0.0.1:"));
        assertThat(evidence.links()).anyMatch(link -> link.unread() > 0);
    }

    @Test
    void whatIsKeptHoldsNoVariable() throws Exception {
        ProcessKey key = python("print('ready', flush=True)\nimport time\ntime.sleep(600)");
        main(key);
        for (String file : files(key)) {
            assertThat(Files.readString(folders().evidence(key).resolve(file))).doesNotContain("no-secret-leaves");
        }
    }

    @Test
    void childrenAreSeenToo() throws Exception {
        TrialJob job = job("/usr/bin/python3 -c \"print('ready', flush=True); import time; time.sleep(600)\"; exit 3");
        start(job);
        awaitLog(job.key(0, 1), "ready");
        List<Doing> processes = backend.evidence(job.key(0, 1)).processes();
        assertThat(processes).hasSize(2);
        assertThat(processes.get(1).program()).startsWith("python3");
        assertThat(processes).allMatch(doing -> doing.state() == 'S');
    }

    @Test
    void a49_coresThatAnAttemptWantsAreMeasuredBetweenTwoLooks() throws Exception {
        TrialJob job = job("").withWorkers(2).withArgv("/usr/bin/python3", "-c", """
                        import os, time
                        print('ready', flush=True)
                        while os.environ['MUSTER_INDEX'] == '1': pass
                        time.sleep(600)
                        """);
        start(job);
        ProcessKey idle = job.key(0, 1);
        ProcessKey busy = job.key(1, 1);
        awaitLog(idle, "ready");
        awaitLog(busy, "ready");
        assertThat(backend.wantedCores(job.id())).isEmpty();
        long pid = awaitRunning(busy).pid().orElseThrow();
        long before = WantedTime.of(new Proc(), pid);
        Await.until("a second of it", soon(), () -> WantedTime.of(new Proc(), pid) - before > 1_000_000_000L);
        Map<ProcessKey, Double> cores = backend.wantedCores(job.id());
        assertThat(cores).containsOnlyKeys(idle, busy);
        assertThat(cores.get(busy)).isBetween(0.7, 1.2);
        assertThat(cores.get(idle)).isLessThan(0.3);
    }
}
