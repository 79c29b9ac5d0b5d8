package dev.muster.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.AmountDocument;
import dev.muster.api.AuditDocument;
import dev.muster.api.CheckpointDocument;
import dev.muster.api.EventDocument;
import dev.muster.api.EvidenceDocument;
import dev.muster.api.JobDocument;
import dev.muster.api.JobPage;
import dev.muster.api.ManifestDocument;
import dev.muster.api.MetricDocument;
import dev.muster.api.ModelDocument;
import dev.muster.api.ModelReference;
import dev.muster.api.Page;
import dev.muster.api.PlanDocument;
import dev.muster.api.PlannedProcess;
import dev.muster.api.ProblemDocument;
import dev.muster.api.ProblemType;
import dev.muster.api.QueueDocument;
import dev.muster.api.UnreadableDocument;
import dev.muster.cli.Cli;
import dev.muster.cli.Documents;
import dev.muster.cli.FakeScreen;
import dev.muster.cli.FakeService;
import dev.muster.cli.base.ExitCode;
import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the commands about jobs ask for and show. */
class JobCommandsTest {
    private static final String ID = "kx1a2b3c4d";

    @TempDir
    private Path folder;

    private FakeService service;
    private Cli cli;

    @BeforeEach
    void start() throws IOException {
        service = new FakeService();
        cli = new Cli(folder).to(service);
        service.on("GET /jobs/hello", 200, Documents.job("Running"));
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void a7_listIsATableFittedToTheTerminal() {
        JobDocument failed =
                Documents.ended("Failed", Optional.of("UserError: worker-1 ended with exit code 3"), Optional.empty());
        JobDocument done = Documents.ended(
                "Succeeded", Optional.empty(), Optional.of(new ModelReference("fashion", 3, "sha256:1")));
        service.on(
                "GET /jobs",
                200,
                new JobPage(List.of(Documents.job("Running"), failed, done), List.of(), Optional.of("kx0")));
        assertThat(cli.on(new FakeScreen(true, 80, 24)).run("list")).isEqualTo(ExitCode.DONE);
        assertThat(cli.out().lines())
                .containsExactly(
                        "ID          NAME   STATE      PROGRESS  SUBMITTED  TOOK    NOTE",
                        "kx1a2b3c4d  hello  Running    -         5m ago     4m 59s",
                        "kx1a2b3c4d  hello  Failed     938/938   5m ago     8.0 s   UserError: worker-1 …",
                        "kx1a2b3c4d  hello  Succeeded  938/938   5m ago     8.0 s   model fashion@3");
        assertThat(cli.err()).contains("muster list --before kx0");
    }

    @Test
    void listTellsWhichJobsItCannotShow() {
        UnreadableDocument broken = new UnreadableDocument("kx9", "the stored record of job kx9 cannot be read");
        service.on("GET /jobs", 200, new JobPage(List.of(), List.of(broken), Optional.of("kx9")));
        assertThat(cli.run("list")).isEqualTo(ExitCode.DONE);
        assertThat(cli.out().lines()).isEmpty();
        assertThat(cli.err())
                .contains("the stored record of job kx9 cannot be read")
                .contains("muster list --before kx9")
                .doesNotContain("no jobs");
        cli.run("list -o json");
        assertThat(JobPage.of((JsonFields) Json.parse(cli.out())).unreadable()).containsExactly(broken);
    }

    @Test
    void a5_getShowsAllAboutAJob() {
        service.on(
                "GET /jobs/hello",
                200,
                Documents.ended("Failed", Optional.of("UserError: worker-1 ended with exit code 3"), Optional.empty()));
        cli.run("get hello");
        assertThat(cli.out().lines())
                .contains(
                        "hello  kx1a2b3c4d",
                        "  state        Failed",
                        "  reason       UserError: worker-1 ended with exit code 3",
                        "  runs         plain on local, queue default, priority 0",
                        "  took         8.0 s",
                        "  progress     step 938/938 (100 %)  epoch 1  accuracy 0.8712",
                        "PROCESS   RANK  STATE   EXIT  ATTEMPT  ADDRESS    PID  TOOK   REASON",
                        "worker-1     1  Exited  3           1  127.0.0.1  101  7.0 s  UserError: exit code 3");
    }

    @Test
    void getOfAJobThatStalledSaysWhereItsEvidenceIs() {
        service.on(
                "GET /jobs/hello",
                200,
                Documents.ended(
                        "Failed", Optional.of("Stalled: no progress for stallTimeout (10m)"), Optional.empty()));
        cli.run("get hello");
        assertThat(cli.out().lines()).contains("  evidence     muster evidence kx1a2b3c4d");
    }

    @Test
    void a8_cancelReturnsWhenItIsStoredAndWithWaitWhenItIsOver() {
        service.on("POST /jobs/hello/cancel", 200, Documents.job("Stopping"));
        assertThat(cli.run("cancel hello")).isEqualTo(ExitCode.DONE);
        assertThat(cli.out()).isEqualTo("hello " + ID + " is Stopping\n");
        service.on(
                "GET /jobs/" + ID + "/watch",
                call -> call.piece(Documents.lines(List.of(Documents.job("Stopping"))))
                        .piece(Documents.lines(
                                List.of(Documents.ended("Cancelled", Optional.empty(), Optional.empty()))))
                        .end());
        assertThat(cli.run("cancel hello --wait -o json")).isEqualTo(ExitCode.DONE);
        assertThat(((JsonFields) Json.parse(cli.out())).text("state")).isEqualTo("Cancelled");
    }

    @Test
    void suspendSaysHowLongItMayTakeAndWithWaitReturnsWhenItIsOver() {
        service.on("POST /jobs/hello/suspend", 200, Documents.job("Stopping"));
        assertThat(cli.run("suspend hello")).isEqualTo(ExitCode.DONE);
        assertThat(cli.out().lines())
                .containsExactly(
                        "hello " + ID + " is Stopping",
                        "  its processes have up to 30 s to save and end; 'muster get hello' shows the state");
        service.on(
                "GET /jobs/" + ID + "/watch",
                call -> call.piece(Documents.lines(List.of(Documents.job("Stopping"))))
                        .piece(Documents.lines(List.of(Documents.job("Suspended"))))
                        .end());
        assertThat(cli.run("suspend hello --wait")).isEqualTo(ExitCode.DONE);
        assertThat(cli.out()).isEqualTo("hello " + ID + " is Suspended\n");
        assertThat(cli.err()).isEqualTo("hello is stopping; its processes have up to 30 s to save and end\n");
    }

    @Test
    void b21_waitEndsWithTheResultAtOnce() {
        for (Map.Entry<String, ExitCode> end : Map.of(
                        "Succeeded", ExitCode.DONE, "Failed", ExitCode.JOB_FAILED, "Cancelled", ExitCode.CANCELLED)
                .entrySet()) {
            JobDocument job = Documents.ended(end.getKey(), Optional.empty(), Optional.empty());
            service.on("GET /jobs/hello", 200, job);
            assertThat(cli.run("wait hello")).as("a job that is over").isEqualTo(end.getValue());
            service.on("GET /jobs/hello", 200, Documents.job("Running"));
            service.on(
                    "GET /jobs/" + ID + "/watch",
                    call -> call.piece(Documents.lines(List.of(Documents.job("Running"))))
                            .piece(Documents.lines(List.of(job)))
                            .end());
            assertThat(cli.run("wait hello --timeout 30s"))
                    .as("a job that ends")
                    .isEqualTo(end.getValue());
        }
    }

    @Test
    void waitTimesOutWithSeven() {
        service.on("GET /jobs/" + ID + "/watch", call -> {
            call.piece(Documents.lines(List.of(Documents.job("Running"))));
            pause(5_000);
        });
        assertThat(cli.run("wait hello --timeout 300ms")).isEqualTo(ExitCode.TIMED_OUT);
        assertThat(cli.err()).contains("is Running after the time given");
        assertThat(cli.run("wait hello --timeout 0 -o json")).isEqualTo(ExitCode.TIMED_OUT);
        assertThat(((JsonFields) Json.parse(cli.err())).text("type")).isEqualTo("urn:muster:timeout");
    }

    private static void pause(long milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void suspendResumeAndScaleSendWhatWasGiven() {
        service.on("POST /jobs/hello/suspend", 200, Documents.job("Stopping"));
        service.on("POST /jobs/hello/resume", 200, Documents.job("Queued"));
        service.on("POST /jobs/hello/scale", 200, Documents.job("Running"));
        assertThat(cli.run("suspend hello")).isEqualTo(ExitCode.DONE);
        assertThat(cli.run("resume hello --set workers=3 --set env.A=b=c")).isEqualTo(ExitCode.DONE);
        assertThat(cli.run("scale hello worker=3")).isEqualTo(ExitCode.DONE);
        assertThat(service.asked("POST /jobs/hello/resume").getFirst().json().texts("sets"))
                .containsExactly("workers=3", "env.A=b=c");
        assertThat(service.asked("POST /jobs/hello/scale").getFirst().json())
                .hasToString("{\"role\":\"worker\",\"count\":3}");
    }

    @Test
    void deleteGoesByTheIdThatTheNameMeans() {
        service.on("DELETE /jobs/" + ID, call -> call.answer(204, ""));
        assertThat(cli.run("delete hello --cancel")).isEqualTo(ExitCode.DONE);
        assertThat(service.asked("DELETE /jobs/" + ID))
                .singleElement()
                .satisfies(asked -> assertThat(asked.query()).isEqualTo("cancel=true"));
        assertThat(cli.out()).contains("deleted hello " + ID);
        service.on("DELETE /jobs/" + ID, 409, ProblemDocument.of(ProblemType.STATE, "it is Running; cancel it first"));
        assertThat(cli.run("delete hello")).isEqualTo(ExitCode.REFUSED);
        assertThat(cli.err()).contains("to cancel it first: muster delete " + ID + " --cancel");
    }

    @Test
    void aJobThatCannotBeReadCanBeDeletedAllTheSame() {
        service.on("GET /jobs/broken", 409, ProblemDocument.of(ProblemType.STATE, "its record cannot be read"));
        service.on("DELETE /jobs/broken", call -> call.answer(204, ""));
        assertThat(cli.run("delete broken")).isEqualTo(ExitCode.REFUSED);
        assertThat(service.asked("DELETE /jobs/broken")).isEmpty();
        assertThat(cli.run("delete broken --cancel")).isEqualTo(ExitCode.DONE);
        assertThat(service.asked("DELETE /jobs/broken")).hasSize(1);
        assertThat(cli.out()).contains("deleted broken");
    }

    @Test
    void a6_eventsAreATableOrOneDocument() {
        List<EventDocument> life = Documents.life("Succeeded");
        service.on(
                "GET /jobs/" + ID + "/events",
                call -> call.piece(Documents.lines(life)).end());
        cli.run("events hello");
        assertThat(cli.out().lines().toList().get(3)).contains("job  Admitted    Starting");
        cli.run("events hello -o json");
        JsonFields page = (JsonFields) Json.parse(cli.out());
        assertThat(page.list("items", EventDocument::of)).isEqualTo(life);
        assertThat(page.values()).containsEntry("next", Json.NULL);
        service.on("GET /jobs/hello", 200, Documents.ended("Succeeded", Optional.empty(), Optional.empty()));
        service.on("GET /jobs/" + ID, 200, Documents.ended("Succeeded", Optional.empty(), Optional.empty()));
        assertThat(cli.run("events hello -f -o json")).isEqualTo(ExitCode.DONE);
        assertThat(cli.out().lines().map(line -> EventDocument.of((JsonFields) Json.parse(line))))
                .containsExactlyElementsOf(life);
    }

    @Test
    void b46_linesOfALogTellTheirProcessAndAttempt() {
        service.on("GET /jobs/" + ID + "/logs", call -> {
            boolean one = call.asked().query().contains("process=");
            boolean all = call.asked().query().contains("attempt=all");
            String prefix = (one ? "" : "worker-0") + (one || !all ? "" : " ") + (all ? "a2" : "");
            call.piece(prefix + (prefix.isEmpty() ? "" : " | ") + "x | y").end();
        });
        cli.run("logs hello -o json");
        assertThat(cli.out())
                .isEqualTo(
                        "{\"items\":[{\"process\":\"worker-0\",\"attempt\":null,\"text\":\"x | y\"}],\"next\":null}\n");
        cli.run("logs hello -o json --attempt all");
        assertThat(cli.out()).contains("{\"process\":\"worker-0\",\"attempt\":2,\"text\":\"x | y\"}");
        cli.run("logs hello -o json -p worker-0 --attempt all");
        assertThat(cli.out()).contains("{\"process\":\"worker-0\",\"attempt\":2,\"text\":\"x | y\"}");
        cli.run("logs hello -o json -p worker-0");
        assertThat(cli.out()).contains("{\"process\":\"worker-0\",\"attempt\":null,\"text\":\"x | y\"}");
        cli.run("logs hello -p worker-0");
        assertThat(cli.out()).isEqualTo("x | y");
    }

    @Test
    void planIsTheDocumentItselfOrAPageOfProcesses() throws IOException {
        Map<String, String> env = new LinkedHashMap<>();
        env.put("A", "l1\nl2");
        env.put("B", "it's");
        env.put("RANK", "0");
        PlanDocument plan = new PlanDocument(
                "local",
                "sample",
                List.of(new PlannedProcess(
                        "worker-0",
                        "worker",
                        0,
                        OptionalInt.of(0),
                        OptionalInt.empty(),
                        List.of("python", "a b.py"),
                        env,
                        new TreeMap<>(Map.of("hosts", "h slots=1\n", "own.py", "import this\n".repeat(180))))));
        service.on("POST /plans", 200, plan);
        cli.input("name: x\n");
        assertThat(cli.run("plan - -o json")).isEqualTo(ExitCode.DONE);
        assertThat(cli.out()).isEqualTo(plan.toJson() + "\n");
        cli.run("plan -");
        assertThat(cli.out().lines())
                .containsExactly(
                        "1 process on backend local, addresses and ports are samples",
                        "",
                        "worker-0  rank 0",
                        "  python 'a b.py'",
                        "    A=$'l1\\nl2'",
                        "    B='it'\\''s'",
                        "    RANK=0",
                        "  file hosts",
                        "    | h slots=1",
                        "  file own.py  180 lines, 2.1 KiB: shown by -o json");
    }

    @Test
    void exportIsTheFileItselfOrItsDocument() {
        ManifestDocument manifest = new ManifestDocument("tfjob", "# a note\n---\nkind: \"TFJob\"\n");
        service.on("POST /exports", 200, manifest);
        cli.input("name: x\n");
        assertThat(cli.run("export - --as tfjob")).isEqualTo(ExitCode.DONE);
        assertThat(cli.out()).isEqualTo(manifest.yaml());
        cli.input("name: x\n");
        cli.run("export - --as tfjob -o json");
        assertThat(cli.out()).isEqualTo(manifest.toJson() + "\n");
    }

    @Test
    void metricsModelsAndCheckpointsAreTables() {
        service.on(
                "GET /jobs/hello/metrics",
                200,
                new Page<>(
                        List.of(
                                new MetricDocument(Documents.NOON, 10, "loss", 0.5),
                                new MetricDocument(Documents.NOON, 10, "accuracy", Double.NaN),
                                new MetricDocument(Documents.NOON, 20, "loss", 0.25)),
                        Optional.empty()));
        cli.run("metrics hello");
        assertThat(cli.out().lines()).containsExactly("STEP  loss  accuracy", "  10   0.5       NaN", "  20  0.25");
        service.on(
                "GET /models/m",
                200,
                new Page<>(
                        List.of(new ModelDocument("m", 2, "sha256:" + "ab".repeat(32), ID, Documents.NOON)),
                        Optional.empty()));
        cli.run("models m");
        assertThat(cli.out()).contains("m@2").contains("sha256:abababababab  " + ID);
        service.on(
                "GET /jobs/hello/checkpoints",
                200,
                new Page<>(
                        List.of(
                                new CheckpointDocument("step-10", OptionalLong.of(10), "/c/step-10", true, ID),
                                new CheckpointDocument("best", OptionalLong.empty(), "/c/best", false, ID)),
                        Optional.empty()));
        cli.run("checkpoints hello");
        assertThat(cli.out().lines())
                .containsExactly(
                        "NAME     STEP  WHOLE  PATH",
                        "step-10    10  yes    /c/step-10",
                        "best        -  no     /c/best");
    }

    @Test
    void evidenceShowsTheSummariesAndWritesAllFiles() throws IOException {
        service.on(
                "GET /jobs/hello/evidence",
                200,
                new Page<>(
                        List.of(
                                new EvidenceDocument("worker-1", 1, "7-python3-stacks.txt", "main thread", false),
                                new EvidenceDocument("worker-1", 1, "summary.txt", "process 7: state T\n", false)),
                        Optional.empty()));
        cli.run("evidence hello");
        assertThat(cli.out().lines()).containsExactly("worker-1, attempt 1", "  process 7: state T");
        cli.run("evidence hello " + folder.resolve("why"));
        assertThat(Files.readString(folder.resolve("why/worker-1/a1/7-python3-stacks.txt")))
                .isEqualTo("main thread");
    }

    @Test
    void aFileOfEvidenceOutsideTheFolderIsNotWritten() {
        service.on(
                "GET /jobs/hello/evidence",
                200,
                new Page<>(
                        List.of(new EvidenceDocument("worker-1", 1, "../../../x", "text", false)), Optional.empty()));
        assertThat(cli.run("evidence hello " + folder.resolve("why"))).isEqualTo(ExitCode.REFUSED);
        assertThat(folder.resolve("x")).doesNotExist();
    }

    @Test
    void a29_queuesShowWhatIsUsedOfWhatIsAllowedAndByWhom() {
        AmountDocument nothing = amount(0, 0, 0, 0);
        QueueDocument.User ann = new QueueDocument.User("ann", 2, 1, amount(2, 2.5, 1L << 30, 0), 0.625, 0.1);
        service.on(
                "GET /queues",
                200,
                new Page<>(
                        List.of(
                                new QueueDocument("default", 1, AmountDocument.NONE, nothing, nothing, 0, 0, List.of()),
                                new QueueDocument(
                                        "research",
                                        2,
                                        new AmountDocument(
                                                OptionalInt.empty(),
                                                OptionalDouble.of(2),
                                                OptionalLong.of(4L << 30),
                                                OptionalInt.empty()),
                                        amount(2, 2.5, 1L << 30, 0),
                                        amount(0, 0.5, 0, 0),
                                        2,
                                        1,
                                        List.of(ann))),
                        Optional.empty()));
        cli.run("queues");
        assertThat(cli.out().lines())
                .containsExactly(
                        "QUEUE     QUEUED  ACTIVE  PROCESSES      CPUS              MEMORY  GPUS  BORROWED",
                        "default        0       0          0         0                   0     0  -",
                        "research       2       1          2  2.5 of 2  1.0 GiB of 4.0 GiB     0  0.5 cpus",
                        "",
                        "USER  QUEUE     QUEUED  ACTIVE  PROCESSES  CPUS   MEMORY  GPUS  SHARE  PAST",
                        "ann   research       2       1          2   2.5  1.0 GiB     0    63%   10%");
    }

    @Test
    void theAuditIsShownPageByPage() {
        service.on(
                "GET /audit",
                200,
                new Page<>(
                        List.of(new AuditDocument(
                                Instant.parse("2026-03-01T12:00:00Z"),
                                "ann-laptop",
                                "ann",
                                "POST /v1/jobs/{job}/cancel",
                                "q3k2h7d1xz",
                                "done",
                                200)),
                        Optional.of("4711")));
        cli.run("audit -n 1");
        assertThat(cli.out().lines())
                .containsExactly(
                        "AT                    TOKEN       USER  OUTCOME  ACTION                      SUBJECT",
                        "2026-03-01T12:00:00Z  ann-laptop  ann   done     POST /v1/jobs/{job}/cancel  q3k2h7d1xz");
        assertThat(cli.err()).contains("muster audit --before 4711");
        assertThat(service.asked("GET /audit").getLast().query()).isEqualTo("limit=1");
    }

    private static AmountDocument amount(int processes, double cpus, long memory, int gpus) {
        return new AmountDocument(
                OptionalInt.of(processes), OptionalDouble.of(cpus), OptionalLong.of(memory), OptionalInt.of(gpus));
    }

    @Test
    void reportsAreNoOutputUnlessTheyAreWanted() {
        String log = "worker-0 | a | ::muster::{}\nworker-0 | ::muster::{\"step\":1}\nworker-1 | ::muster\n"
                + "a long line without prefix " + "x".repeat(400)
                + "\nworker-1 | \u00e4\r\n\nworker-0 | ::muster::{} and no end";
        service.on("GET /jobs/" + ID + "/logs", call -> {
            String whole = call.asked().query().contains("process=") ? log.replace("worker", "rekrow") : log;
            // In pieces, as a network gives them.
            for (int at = 0; at < whole.length(); at += 7) {
                call.piece(whole.substring(at, Math.min(at + 7, whole.length())));
            }
            call.end();
        });
        cli.run("logs hello");
        assertThat(cli.out())
                .isEqualTo("worker-0 | a | ::muster::{}\nworker-1 | ::muster\na long line without prefix "
                        + "x".repeat(400) + "\nworker-1 | \u00e4\r\n\n");
        cli.run("logs hello --reports");
        assertThat(cli.out()).isEqualTo(log);
        cli.run("logs hello --raw -p worker-0");
        assertThat(cli.out()).isEqualTo(log.replace("worker", "rekrow"));
        cli.run("logs hello -o json");
        assertThat(cli.out()).contains("::muster::{\\\"step\\\":1}");
    }

    @Test
    void withOneProcessALineThatBeginsWithAReportIsOne() {
        service.on(
                "GET /jobs/" + ID + "/logs",
                call -> call.piece("::muster::{}\nx | ::muster::{}\n:").end());
        cli.run("logs hello -p worker-0");
        assertThat(cli.out()).isEqualTo("x | ::muster::{}\n:");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Suspended", "Queued"})
    void aJobThatStandsStillTakesNoTime(String state) {
        service.on("GET /jobs/hello", 200, Documents.job(state));
        cli.run("get hello");
        assertThat(cli.out().lines()).noneMatch(line -> line.startsWith("  took"));
        service.on("GET /jobs", 200, new Page<>(List.of(Documents.job(state)), Optional.empty()));
        cli.run("list");
        assertThat(cli.out().lines().toList().getLast()).contains(state).doesNotContain("4m 59s");
        service.on("GET /jobs", 200, new Page<>(List.of(Documents.job("Running")), Optional.empty()));
        cli.run("list");
        assertThat(cli.out()).contains("4m 59s");
    }

    @Test
    void helpIsGivenForCommandsOfTwoWords() {
        assertThat(cli.run("help model get")).isEqualTo(ExitCode.DONE);
        assertThat(cli.out()).startsWith("usage: muster model get NAME[@V] DIR");
        assertThat(cli.run("-o json help local stop")).isEqualTo(ExitCode.DONE);
        assertThat(cli.out()).startsWith("usage: muster local stop");
        assertThat(cli.run("help model")).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(cli.err()).contains("there are: muster model get");
    }
}
