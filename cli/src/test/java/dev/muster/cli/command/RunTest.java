package dev.muster.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.EventDocument;
import dev.muster.api.JobDocument;
import dev.muster.api.ModelReference;
import dev.muster.api.Submitted;
import dev.muster.cli.Cli;
import dev.muster.cli.Documents;
import dev.muster.cli.FakeScreen;
import dev.muster.cli.FakeService;
import dev.muster.cli.FakeTerminal;
import dev.muster.cli.base.ExitCode;
import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TimeZone;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code run}: what a person sees, what a script reads, and what Ctrl-C does. */
class RunTest {
    private static final String ID = "kx1a2b3c4d";
    private static final Optional<ModelReference> MODEL =
            Optional.of(new ModelReference("fashion-cnn", 1, "sha256:" + "ab12cd34".repeat(8)));

    @TempDir
    private Path folder;

    private final TimeZone zone = TimeZone.getDefault();
    private final CountDownLatch running = new CountDownLatch(1);
    /** Until it is counted down, the job stays at an early step. */
    private CountDownLatch further = new CountDownLatch(0);

    private final CountDownLatch over = new CountDownLatch(1);
    private FakeService service;
    private Cli cli;

    @BeforeEach
    void start() throws IOException {
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
        service = new FakeService();
        service.clock("Sat, 31 Jan 2026 12:00:31 GMT");
        service.on("POST /jobs", 201, new Submitted(ID));
        cli = new Cli(folder).to(service).input("name: hello\n");
    }

    @AfterEach
    void stop() {
        further.countDown();
        over.countDown();
        service.close();
        TimeZone.setDefault(zone);
    }

    /** A job that goes its way to this end; its streams end when {@link #over} is counted down. */
    private void job(JobDocument end) {
        JobDocument early = at(100);
        JobDocument busy = at(412);
        service.on("GET /jobs/" + ID, 200, end);
        service.on("GET /jobs/" + ID + "/watch", call -> {
            if (further.getCount() > 0) {
                call.piece(Documents.lines(List.of(early)));
                further.await();
            }
            call.piece(Documents.lines(List.of(busy)));
            running.countDown();
            over.await();
            call.piece(Documents.lines(List.of(end))).end();
        });
        service.on("GET /jobs/" + ID + "/events", call -> {
            call.piece(Documents.lines(Documents.life(end.state()).subList(0, 4)));
            over.await();
            call.piece(Documents.lines(Documents.life(end.state()).subList(4, 6)))
                    .end();
        });
        service.on("GET /jobs/" + ID + "/logs", call -> {
            if (call.asked().query().startsWith("process=")) {
                call.piece("line 1\n".repeat(30) + "Traceback\nValueError: bad\n")
                        .end();
                return;
            }
            call.piece("worker-0 | hello\nworker-1 | \u001b[31mred\u001b[0m\nworker-1 | ::muster::{\"step\":1}\n");
            over.await();
            call.piece("worker-0 | bye\n").end();
        });
    }

    private static JobDocument at(long step) {
        return Documents.with(Documents.job("Running"), "Running", Documents.progress(step, 938, Map.of("loss", 0.41)));
    }

    @Test
    void plainLinesTellStatesProgressOutputAndTheEnd() {
        job(Documents.ended("Succeeded", Optional.empty(), MODEL));
        over.countDown();
        assertThat(cli.run("run -")).isEqualTo(ExitCode.DONE);
        assertThat(cli.out()).doesNotContain("\u001b");
        List<String> lines = cli.out().lines().toList();
        assertThat(lines.getFirst()).isEqualTo("job " + ID);
        assertThat(lines)
                .containsSubsequence(
                        "12:00:00  Queued",
                        "12:00:00  Admitted",
                        "12:00:02  Starting",
                        "12:00:03  Running",
                        "12:00:07  Publishing",
                        "12:00:07  Succeeded");
        assertThat(lines)
                .containsSubsequence("worker-0 | hello", "worker-1 | red", "worker-0 | bye", "12:00:07  Succeeded");
        assertThat(lines).noneMatch(line -> line.contains("::muster::"));
        assertThat(lines).contains("          step 412/938 (43 %)  epoch 1  loss 0.41  ETA 1m 30s");
        assertThat(lines.subList(lines.size() - 3, lines.size()))
                .containsExactly(
                        "hello " + ID + " Succeeded after 9.0 s (8.0 s since its first start)",
                        "  environment 2.0 s, start 1.0 s, training 4.0 s, publishing 0.5 s",
                        "model fashion-cnn@1  sha256:ab12cd34ab12  accuracy 0.8712  -> muster model get fashion-cnn@1 DIR");
    }

    @Test
    void aFailedJobEndsWithItsReasonTheLastLinesAndWhereToLook() {
        job(Documents.ended("Failed", Optional.of("UserError: worker-1 ended with exit code 3"), Optional.empty()));
        over.countDown();
        assertThat(cli.run("run -")).isEqualTo(ExitCode.JOB_FAILED);
        List<String> lines = cli.out().lines().toList();
        int end = lines.indexOf("hello " + ID
                + " Failed after 9.0 s (8.0 s since its first start): UserError: worker-1 ended with exit code 3");
        assertThat(end).isPositive();
        assertThat(lines.subList(end, lines.size()))
                .hasSize(1 + 2 + 1 + 20 + 1)
                .contains("last lines of worker-1:", "  Traceback", "  ValueError: bad")
                .last()
                .isEqualTo("more: muster logs " + ID + " --process worker-1    muster events " + ID);
        assertThat(service.asked("GET /jobs/" + ID + "/logs"))
                .anySatisfy(asked -> assertThat(asked.query()).isEqualTo("process=worker-1&attempt=1"));
    }

    @Test
    void aStalledJobSaysWhereToSeeWhyAndCommandsBeginAsTheReadersDid() {
        cli.called("./muster");
        job(Documents.ended("Failed", Optional.of("Stalled: no step for 10m; worker-1 is silent"), Optional.empty()));
        over.countDown();
        assertThat(cli.run("run -")).isEqualTo(ExitCode.JOB_FAILED);
        assertThat(cli.out().lines().toList().getLast())
                .isEqualTo("more: ./muster logs " + ID + " --process worker-1    ./muster evidence " + ID
                        + "    ./muster events " + ID);
    }

    @Test
    void aReportThatWasRefusedIsALineOfItsProcess() {
        JobDocument end = Documents.ended("Succeeded", Optional.empty(), MODEL);
        job(end);
        EventDocument refused = new EventDocument(
                4,
                Documents.NOON.plusSeconds(5),
                "process",
                Optional.of("worker-1"),
                Optional.of("Running"),
                "Running",
                Optional.empty(),
                Optional.of("in a report, \"won\" is no field of a report"));
        service.on(
                "GET /jobs/" + ID + "/events",
                call -> call.piece(Documents.lines(List.of(refused, Documents.event(5, 7, "Running", "Succeeded"))))
                        .end());
        over.countDown();
        assertThat(cli.run("run -")).isEqualTo(ExitCode.DONE);
        assertThat(cli.out()).contains("12:00:05  worker-1: in a report, \"won\" is no field of a report\n");
    }

    @Test
    void aCancelledJobIsThree() {
        job(Documents.ended("Cancelled", Optional.empty(), Optional.empty()));
        over.countDown();
        assertThat(cli.run("run -")).isEqualTo(ExitCode.CANCELLED);
        assertThat(cli.out()).contains("hello " + ID + " Cancelled after 9.0 s (8.0 s since its first start)");
    }

    @Test
    void aTerminalShowsOneLiveViewBelowTheOutput() throws Exception {
        further = new CountDownLatch(1);
        job(Documents.ended("Succeeded", Optional.empty(), MODEL));
        cli.on(new FakeScreen(true, 80, 24));
        CompletableFuture<ExitCode> run = inBackground("run -");
        await("an early step", () -> live().stream().anyMatch(line -> line.contains("step 100/938 (10 %)")));
        further.countDown();
        await("a later step", () -> live().stream().anyMatch(line -> line.contains("step 412/938 (43 %)")));
        await("12:00:31 on the service's clock", () -> live().size() == 7);
        assertThat(live())
                .containsExactly(
                        "job " + ID,
                        "worker-0 | hello",
                        "worker-1 | red",
                        "hello  " + ID + "  Running  30 s",
                        "  [========>           ] step 412/938 (43 %)  epoch 1  loss 0.41  ETA 1m 30s",
                        "  worker-0  Running   rank 0  30 s",
                        "  worker-1  Running   rank 1  30 s");
        over.countDown();
        assertThat(run.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCode.DONE);
        assertThat(FakeTerminal.show(cli.out()))
                .containsExactly(
                        "job " + ID,
                        "worker-0 | hello",
                        "worker-1 | red",
                        "worker-0 | bye",
                        "hello " + ID + " Succeeded after 9.0 s (8.0 s since its first start)",
                        "  environment 2.0 s, start 1.0 s, training 4.0 s, publishing 0.5 s",
                        "model fashion-cnn@1  sha256:ab12cd34ab12",
                        "  accuracy 0.8712",
                        "  -> muster model get fashion-cnn@1 DIR");
    }

    /** Lines have their parts whole or not at all, and what is to be copied stands on a line of its own. */
    @ParameterizedTest
    @ValueSource(ints = {60, 40})
    void aNarrowTerminalBreaksNoWordAndNoLine(int columns) throws Exception {
        further = new CountDownLatch(1);
        job(Documents.ended("Succeeded", Optional.empty(), MODEL));
        cli.on(new FakeScreen(true, columns, 24));
        CompletableFuture<ExitCode> run = inBackground("run -");
        await("an early step", () -> live().stream().anyMatch(line -> line.contains("step 100/938 (10 %)")));
        further.countDown();
        await("a later step", () -> live().stream().anyMatch(line -> line.contains("step 412/938 (43 %)")));
        await("12:00:31 on the service's clock", () -> live().size() == 7);
        assertThat(live()).allMatch(line -> line.length() < columns).noneMatch(line -> line.contains("…"));
        assertThat(live().get(4))
                .isEqualTo(
                        columns == 60
                                ? "  step 412/938 (43 %)  epoch 1  loss 0.41  ETA 1m 30s"
                                : "  step 412/938 (43 %)  epoch 1");
        assertThat(live().get(5)).isEqualTo("  worker-0  Running   rank 0  30 s");
        over.countDown();
        assertThat(run.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCode.DONE);
        List<String> shown = FakeTerminal.show(cli.out());
        assertThat(shown.subList(4, shown.size()))
                .allMatch(line -> line.length() <= columns)
                .contains("  -> muster model get fashion-cnn@1 DIR");
    }

    private CompletableFuture<ExitCode> inBackground(String line) {
        return CompletableFuture.supplyAsync(() -> cli.run(line), Thread::startVirtualThread);
    }

    private List<String> live() {
        FakeTerminal terminal = new FakeTerminal();
        terminal.write(cli.out());
        // The seconds go on; the picture is that of the first.
        return terminal.lines().stream()
                .map(line -> line.replaceAll("[3-5][0-9] s$", "30 s"))
                .toList();
    }

    private void await(String what, java.util.function.BooleanSupplier condition) throws InterruptedException {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - start)
                    .as("%s, and there is %s", what, live())
                    .isLessThan(TimeUnit.SECONDS.toNanos(60));
            Thread.sleep(10);
        }
    }

    @Test
    void noColourIsWantedAndNoneIsShown() {
        job(Documents.ended("Succeeded", Optional.empty(), MODEL));
        over.countDown();
        cli.on(new FakeScreen(false, 80, 24)).run("run -");
        assertThat(cli.out()).doesNotContain("\u001b");
    }

    @Test
    void aScriptReadsTheJobWheneverItChangesAndLastWhatGetShows() {
        JobDocument end = Documents.ended("Failed", Optional.of("UserError: x"), Optional.empty());
        job(end);
        over.countDown();
        assertThat(cli.run("run - -o json")).isEqualTo(ExitCode.JOB_FAILED);
        List<String> lines = cli.out().lines().toList();
        assertThat(lines)
                .hasSize(2)
                .allSatisfy(line ->
                        assertThat(((JsonFields) Json.parse(line)).text("id")).isEqualTo(ID));
        assertThat(lines.getLast()).isEqualTo(end.toJson().toString());
        assertThat(cli.err()).isEmpty();
        cli.run("get " + ID + " -o json");
        assertThat(cli.out()).isEqualTo(lines.getLast() + "\n");
    }

    @Test
    void ctrlCLeavesTheJobRunningAndSaysHowToComeBack() throws Exception {
        job(Documents.ended("Succeeded", Optional.empty(), MODEL));
        cli.on(new FakeScreen(true, 80, 24));
        inBackground("run -");
        assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();
        await("the view", () -> live().size() == 7);
        assertThat(cli.interrupt()).contains(ExitCode.DETACHED);
        assertThat(cli.err())
                .isEqualTo("left " + ID + " running; follow it: muster logs -f " + ID + "    stop it: muster cancel "
                        + ID + "\n");
        assertThat(FakeTerminal.show(cli.out())).containsExactly("job " + ID, "worker-0 | hello", "worker-1 | red");
        assertThat(service.asked("POST /jobs/" + ID + "/cancel")).isEmpty();
    }

    @Test
    void ctrlCCancelsWhereThatWasWantedAndWaitsForTheEnd() throws Exception {
        job(Documents.ended("Cancelled", Optional.empty(), Optional.empty()));
        service.on("POST /jobs/" + ID + "/cancel", call -> {
            call.answer(200, Documents.job("Stopping").toJson().toString());
            over.countDown();
        });
        CompletableFuture<ExitCode> run = inBackground("run - --cancel-on-interrupt");
        assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(cli.interrupt()).contains(ExitCode.CANCELLED);
        assertThat(run.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCode.CANCELLED);
        assertThat(service.asked("POST /jobs/" + ID + "/cancel")).hasSize(1);
        assertThat(cli.out()).contains("cancelling " + ID);
    }

    @Test
    void whyAJobWaitsIsToldAlsoOffATerminal() throws Exception {
        further = new CountDownLatch(1);
        JobDocument end = Documents.ended("Succeeded", Optional.empty(), MODEL);
        job(end);
        JsonFields queued = changed(
                Documents.job("Queued"),
                Map.of(
                        "reason", Json.of("waits for 4 cpus, 1 is free"),
                        "queuePosition", Json.of(2),
                        "startedAt", Json.NULL));
        service.on("GET /jobs/" + ID + "/watch", call -> {
            call.piece(queued + "\n");
            further.await();
            call.piece(Documents.lines(List.of(end))).end();
        });
        CompletableFuture<ExitCode> run = inBackground("run -");
        await("the reason", () -> cli.out().contains("          waits for 4 cpus, 1 is free\n"));
        assertThat(cli.interrupt()).contains(ExitCode.DETACHED);
        assertThat(cli.err()).startsWith("left " + ID + " waiting in its queue; follow it: ");
        further.countDown();
        over.countDown();
        run.get(60, TimeUnit.SECONDS);
    }

    @Test
    void whyAJobDoesNotStartIsToldWhenItIsKnownAndNotOnlyWhileItIsQueued() throws Exception {
        String missing = "ImageMissing: worker-0: ErrImagePull: no such image";
        String away = "no contact with the backend since 2026-01-31T12:00:01Z: pods were listed: pods is forbidden";
        JobDocument end = Documents.ended("Cancelled", Optional.empty(), Optional.empty());
        job(end);
        service.on("GET /jobs/" + ID + "/watch", call -> {
            call.piece(changed(Documents.job("Admitted"), Map.of("reason", Json.of(away))) + "\n");
            further.await();
            call.piece(changed(Documents.job("Starting"), Map.of("reason", Json.of(missing))) + "\n");
            over.await();
            call.piece(Documents.lines(List.of(end))).end();
        });
        further = new CountDownLatch(1);
        CompletableFuture<ExitCode> run = inBackground("run -");
        await("why there is no contact", () -> cli.out().contains("          " + away + "\n"));
        further.countDown();
        await("the image that is missing", () -> cli.out().contains("          " + missing + "\n"));
        over.countDown();
        assertThat(run.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCode.CANCELLED);
        assertThat(cli.out().split(missing, -1)).hasSize(2);
    }

    @Test
    void whoIsLateToJoinIsToldAlsoOffATerminal() throws Exception {
        String late = "worker-1 runs since 2026-01-31T12:00:02Z and has not joined (1 of 2 has joined)";
        JobDocument end = Documents.ended("Cancelled", Optional.empty(), Optional.empty());
        job(end);
        service.on("GET /jobs/" + ID + "/watch", call -> {
            String why = "Killed: worker-1 was killed";
            call.piece(changed(Documents.job("Starting"), Map.of("reason", Json.of(why), "warning", Json.of(late)))
                    + "\n");
            over.await();
            call.piece(Documents.lines(List.of(end))).end();
        });
        CompletableFuture<ExitCode> run = inBackground("run -");
        await("who is late", () -> cli.out().contains("          " + late + "\n"));
        over.countDown();
        assertThat(run.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCode.CANCELLED);
    }

    @Test
    void aReasonIsToldOnceAndThenOnlyHowItGoesOn() {
        String first = "UserError: worker-1 ended with exit code 1: a long story";
        String last = first + " (restart limit reached: restart.max is 1)";
        job(Documents.ended("Failed", Optional.of(last), Optional.empty()));
        service.on(
                "GET /jobs/" + ID + "/events",
                call -> call.piece(Documents.lines(List.of(
                                because(1, "Running", first),
                                because(2, "Restarting", first),
                                because(3, "Admitted", first),
                                because(4, "Stopping", last),
                                because(5, "Failed", last))))
                        .end());
        over.countDown();
        assertThat(cli.run("run -")).isEqualTo(ExitCode.JOB_FAILED);
        assertThat(cli.out().lines())
                .containsSubsequence(
                        "12:00:01  Running  " + first,
                        "12:00:02  Restarting",
                        "12:00:03  Admitted",
                        "12:00:04  Stopping  ... (restart limit reached: restart.max is 1)",
                        "12:00:05  Failed",
                        "hello " + ID + " Failed after 9.0 s (8.0 s since its first start): " + last);
    }

    private static EventDocument because(int seq, String to, String reason) {
        EventDocument event = Documents.event(seq, seq, "Starting", to);
        return new EventDocument(
                seq,
                event.at(),
                "job",
                Optional.empty(),
                event.from(),
                to,
                Optional.of("UserError"),
                Optional.of(reason));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                                       | hint: name the package that has 'yaml' in a requirements file
            {"environment":{"python":{"requirements":"more.txt"}}}   | hint: add the package that has 'yaml' to more.txt
            {"roles":{"worker":{"environment":{"python":{"requirements":"own.txt"}}}}} | hint: add the package that has 'yaml' to own.txt
            """)
    void aModuleThatIsNotThereIsAnsweredWithWhereToNameIt(String spec, String hint) {
        JsonFields end = changed(
                Documents.ended("Failed", Optional.of("UserError: worker-1 ended with exit code 1"), Optional.empty()),
                Map.of("spec", Json.parse(spec)));
        job(JobDocument.of(end));
        service.on(
                "GET /jobs/" + ID + "/logs",
                call -> call.piece(
                                "Traceback\nModuleNotFoundError: No module named 'yaml.nodes'; 'yaml' is not a package\n")
                        .end());
        over.countDown();
        assertThat(cli.run("run -")).isEqualTo(ExitCode.JOB_FAILED);
        assertThat(cli.out()).contains("\n" + hint);
    }

    private static JsonFields changed(JobDocument job, Map<String, Json> other) {
        Map<String, Json> values = new LinkedHashMap<>(job.toJson().values());
        values.putAll(other);
        return new JsonFields(values);
    }
}
