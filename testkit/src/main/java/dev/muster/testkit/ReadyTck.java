package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.FrameworkKind;
import dev.muster.model.Group;
import dev.muster.model.JobSpec;
import dev.muster.model.Join;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Placement;
import dev.muster.model.Problem;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessName;
import dev.muster.model.ProcessPlan;
import dev.muster.model.Template;
import dev.muster.spi.Backend.StopHow;
import dev.muster.spi.Sighting.Seen;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The part of {@link BackendTck} about processes that are held ready to take the places of lost ones: the frameworks' real program, with a module
 * that every Python has.
 */
public abstract class ReadyTck extends PlansTck {
    private static final ProcessName HELD = new ProcessName(JobSpec.STANDBY, 0);

    /** The first member tells who asks which it is; the others ask. All listen, and end with 3 when they are let go. */
    private static final String WORK = """
            import os, socket, sys, threading, time
            env = os.environ
            print('ready' if 'colorsys' in sys.modules else 'anew', env['MUSTER_ROLE'], env['MUSTER_INDEX'], env['MUSTER_ATTEMPT'],
                  sys.argv[1:], __name__, os.getcwd() == env['MUSTER_CODE_DIR'], env['WORD'], flush=True)
            for file in (env['MUSTER_MODEL_DIR'] + '/model', env['MUSTER_CHECKPOINT_DIR'] + '/of-' + env['MUSTER_INDEX'], env['MUSTER_REPORT_FILE']):
              with open(file, 'a') as made: made.write('{}\\n')
            s = socket.create_server(('', int(env['PORT_a'])))
            def answer():
              while True:
                c, _ = s.accept(); c.sendall(('worker ' + env['MUSTER_INDEX'] + ' of attempt ' + env['MUSTER_ATTEMPT']).encode()); c.close()
            threading.Thread(target=answer, daemon=True).start()
            host, port = env['FIRST_ADDRESS'].rsplit(':', 1)
            said = b''
            while not said:
              try: said = socket.create_connection((host.strip('[]'), int(port)), 1).recv(100)
              except OSError: time.sleep(0.05)
            print('was told by', said.decode(), flush=True)
            while not os.path.exists(env['MUSTER_CONTROL_DIR'] + '/stop'): time.sleep(0.02)
            sys.exit(3)
            """;

    /** Imported, it stops its process as soon as that is held ready. */
    private static final String DOZES = """
            import os, subprocess, threading, time
            def doze():
              while not os.path.exists('.muster/standby.pipe'): time.sleep(0.01)
              subprocess.run(['sh', '-c', 'kill -STOP $1; echo asleep', 'sh', str(os.getpid())])
            threading.Thread(target=doze, daemon=True).start()
            """;

    /** What it cannot do and is seen to refuse; anything else it takes. */
    protected abstract Set<Ability> declines();

    private boolean isRefused(TrialJob job) {
        boolean declined = declines().contains(Ability.STANDBY);
        assertThat(backend.check(job.spec()))
                .extracting(Problem::field)
                .isEqualTo(declined ? List.of(Ability.STANDBY.field()) : List.of());
        return declined;
    }

    /** Two workers that may become of one who is held ready. */
    protected final TrialJob twoWorkers() {
        return job("").withArgv("python3", "work.py", "--epochs", "2 3")
                .withEnv(Map.of("WORD", "a \"b\" 'c'"))
                .withFiles(Map.of("work.py", WORK))
                .withWorkers(2)
                .withPorts("a")
                .withJoin(new Join.Listens("a"))
                .withStandby(1);
    }

    /** As the framework plans one, but for the module that it imports. */
    private ProcessPlan held(TrialJob job, String module) {
        JobSpec spec = job.spec(FrameworkKind.PYTORCH, job.spec().roles());
        ProcessPlan plan = framework(FrameworkKind.PYTORCH)
                .plan(spec, Group.of(spec))
                .process(HELD)
                .orElseThrow();
        List<Template> argv = new ArrayList<>(plan.argv());
        argv.set(argv.size() - 1, Template.text(module));
        Map<String, Template> files = new TreeMap<>(plan.files());
        files.put(".muster/dozes.py", Template.text(DOZES));
        return new ProcessPlan(
                plan.name(), plan.rank(), plan.localRank(), false, argv, plan.env(), files, List.of(), plan.join());
    }

    /** An attempt of the one who is held ready. */
    protected static ProcessKey held(TrialJob job, int attempt) {
        return new ProcessKey(job.id(), HELD, attempt);
    }

    /** Prepares and places the job with the one who is held ready. */
    protected final Placement placeAll(TrialJob job) throws Exception {
        List<ProcessPlan> all = new ArrayList<>(job.plan().processes());
        all.add(held(job, "colorsys"));
        backend.prepare(job.id(), job.spec(), job.origin(), line -> {});
        return backend.place(job.id(), 1, job.spec(), new LaunchPlan(job.workers(), all));
    }

    /** Starts an attempt of the one who is held ready, and awaits that it is. */
    protected final void holdReady(TrialJob job, int attempt, Placement placement) throws Exception {
        holdReady(job, attempt, placement, "colorsys", "is imported");
    }

    private void holdReady(TrialJob job, int attempt, Placement placement, String module, String says)
            throws Exception {
        backend.start(job.launch(held(job, attempt), held(job, module), placement, "/"));
        awaitLog(held(job, attempt), says);
        awaitRunning(held(job, attempt));
    }

    private String line(String how, int index, int attempt) {
        return how + " worker " + index + " " + attempt + " ['--epochs', '2 3'] __main__ True a \"b\" 'c'\n";
    }

    @Test
    void whoIsHeldReadyBecomesTheAttemptThatIsStarted() throws Exception {
        TrialJob job = twoWorkers();
        if (isRefused(job)) {
            return;
        }
        Placement placement = placeAll(job);
        holdReady(job, 1, placement);
        backend.start(job.launch(0, 2, placement, "/"));
        backend.start(job.launch(1, 2, placement, "/"));
        backend.start(job.launch(0, 2, placement, "/"));
        awaitLog(job.key(0, 2), "was told by worker 0 of attempt 2");
        awaitLog(job.key(1, 2), "was told by worker 0 of attempt 2");
        assertThat(log(job.key(0, 2))).startsWith(line("ready", 0, 2));
        assertThat(log(job.key(1, 2))).startsWith(line("anew", 1, 2));
        Await.until(
                "it has joined",
                soon(),
                () -> awaitRunning(job.key(0, 2)).joined()
                        && awaitRunning(job.key(1, 2)).joined());
        Seen.Ended over = awaitEnd(held(job, 1));
        assertThat(over.code()).isZero();
        assertThat(log(held(job, 1))).isEqualTo("colorsys is imported\n");

        Seen.Running before = awaitRunning(job.key(0, 2));
        restarted();
        assertThat(awaitEnd(held(job, 1)).code()).isZero();
        backend.stop(held(job, 1), StopHow.KILL);
        backend.sweep(held(job, 1));
        assertThat(awaitRunning(job.key(0, 2)).startedAt()).isEqualTo(before.startedAt());
        letGo(job);
        Seen.Ended end = awaitEnd(job.key(0, 2));
        assertThat(end.code()).isEqualTo(3);
        assertThat(end.startedAt()).isPresent();
        assertThat(end.endedAt()).isAfterOrEqualTo(end.startedAt().get());
        assertThat(awaitEnd(job.key(1, 2)).code()).isEqualTo(3);
        assertThat(awaitEnd(held(job, 1))).isEqualTo(over);
        backend.collect(job.id());
        assertThat(folders().model(job.key(0, 2)).resolve("model")).hasContent("{}");
        assertThat(folders().checkpoints(job.id()).resolve("of-0")).hasContent("{}");
        assertThat(Files.readString(folders().reports(job.key(0, 2)))).isEqualTo("{}\n");
    }

    @Test
    void whoIsKilledWhileHeldReadyHarmsNobodyAndAnotherTakesItsPlace() throws Exception {
        TrialJob job = twoWorkers();
        if (isRefused(job)) {
            return;
        }
        Placement placement = placeAll(job);
        backend.start(job.launch(0, 1, placement, "/"));
        awaitLog(job.key(0, 1), "was told");
        holdReady(job, 1, placement);
        backend.stop(held(job, 1), StopHow.KILL);
        assertThat(awaitEnd(held(job, 1)).code()).isEqualTo(137);
        awaitRunning(job.key(0, 1));
        holdReady(job, 2, placement);
        restarted();
        backend.prepare(job.id(), job.spec(), job.origin(), line -> {});
        awaitRunning(held(job, 2));
        backend.start(job.launch(1, 1, placement, "/"));
        awaitLog(job.key(1, 1), "was told by worker 0 of attempt 1");
        assertThat(log(job.key(1, 1))).startsWith(line("ready", 1, 1));
        assertThat(awaitEnd(held(job, 2)).code()).isZero();
        backend.stop(job.key(1, 1), StopHow.KILL);
        assertThat(awaitEnd(job.key(1, 1)).code()).isEqualTo(137);
        awaitRunning(job.key(0, 1));
        assertThat(awaitEnd(held(job, 1)).code()).isEqualTo(137);
        holdReady(job, 3, placement);
        backend.remove(job.id());
        assertNothingRuns(job.id());
    }

    @Test
    void whoDoesNotAnswerIsPassedOver() throws Exception {
        TrialJob job = twoWorkers();
        if (isRefused(job)) {
            return;
        }
        Placement placement = placeAll(job);
        holdReady(job, 1, placement, "dozes", "asleep");
        backend.start(job.launch(0, 1, placement, "/"));
        backend.start(job.launch(1, 1, placement, "/"));
        awaitLog(job.key(0, 1), "was told by worker 0 of attempt 1");
        awaitLog(job.key(1, 1), "was told by worker 0 of attempt 1");
        assertThat(log(job.key(0, 1))).startsWith(line("anew", 0, 1));
        awaitRunning(held(job, 1));
        assertThat(log(held(job, 1))).endsWith("asleep\n");
    }
}
