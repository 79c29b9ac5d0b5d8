package dev.muster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.Submitted;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line as a process: signals, pipes, encodings. */
class ProcessTest {
    private static final String ID = "kx1a2b3c4d";

    @TempDir
    private Path folder;

    private final CountDownLatch running = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private FakeService service;

    @BeforeEach
    void start() throws IOException {
        service = new FakeService();
        service.on("GET /jobs/" + ID, 200, Documents.job("Running"));
    }

    @AfterEach
    void stop() {
        over.countDown();
        service.close();
    }

    /** A job that runs until {@link #over}, and then was cancelled. */
    private void job() throws IOException {
        Files.writeString(folder.resolve("job.yaml"), "name: hello\n");
        service.on("POST /jobs", 201, new Submitted(ID));
        service.on("GET /jobs/" + ID + "/watch", call -> {
            call.piece(Documents.lines(List.of(Documents.job("Running"))));
            running.countDown();
            over.await();
            service.on("GET /jobs/" + ID, 200, Documents.ended("Cancelled", Optional.empty(), Optional.empty()));
            call.piece(Documents.lines(List.of(Documents.ended("Cancelled", Optional.empty(), Optional.empty()))))
                    .end();
        });
        for (String stream : List.of("events", "logs")) {
            service.on("GET /jobs/" + ID + "/" + stream, call -> {
                call.piece("");
                over.await();
                call.end();
            });
        }
    }

    private String command() {
        return "exec '" + Path.of(System.getProperty("java.home"), "bin", "java")
                + "' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp '" + System.getProperty("java.class.path")
                + "' dev.muster.cli.Main";
    }

    /** Runs a script in which {@code muster} is the command line. A build in the background may ignore SIGINT: this one does not. */
    private Process shell(String script) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "env", "--default-signal=INT", "bash", "-c", "muster() { (" + command() + " \"$@\") }\n" + script));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().put("MUSTER_SERVER", service.address());
        builder.environment().put("MUSTER_HOME", folder.resolve("home").toString());
        builder.redirectError(folder.resolve("err").toFile());
        builder.redirectInput(new File("/dev/null"));
        return builder.start();
    }

    private static String text(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private String err() throws IOException {
        return Files.readString(folder.resolve("err"));
    }

    private static int end(Process process) throws InterruptedException {
        assertThat(process.waitFor(90, TimeUnit.SECONDS)).as("the process ends").isTrue();
        return process.exitValue();
    }

    private static void interrupt(Process process) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-INT", Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void sigintDetachesWith130() throws IOException, InterruptedException {
        job();
        Process run = shell(command() + " run job.yaml");
        assertThat(running.await(90, TimeUnit.SECONDS)).isTrue();
        interrupt(run);
        assertThat(end(run)).isEqualTo(130);
        assertThat(err()).contains("muster logs -f " + ID).contains("muster cancel " + ID);
        assertThat(service.asked("POST /jobs/" + ID + "/cancel")).isEmpty();
    }

    @Test
    void sigintCancelsWhereWantedAndEndsWith3() throws IOException, InterruptedException {
        job();
        service.on("POST /jobs/" + ID + "/cancel", call -> {
            call.answer(200, Documents.job("Stopping").toJson().toString());
            over.countDown();
        });
        Process run = shell(command() + " run job.yaml --cancel-on-interrupt");
        assertThat(running.await(90, TimeUnit.SECONDS)).isTrue();
        interrupt(run);
        assertThat(end(run)).isEqualTo(3);
        assertThat(text(run)).contains("hello " + ID + " Cancelled");
    }

    @Test
    void aReaderThatGoesAwayEndsItQuietly() throws IOException, InterruptedException {
        service.on("GET /jobs/" + ID + "/logs", call -> {
            for (int line = 0; line < 100_000; line++) {
                call.piece("worker-0 | line " + line + "\n");
            }
            call.end();
        });
        Process logs = shell("muster logs " + ID + " | head -n 1; echo \"${PIPESTATUS[@]}\"");
        assertThat(text(logs)).isEqualTo("worker-0 | line 0\n0 0\n");
        assertThat(end(logs)).isZero();
        assertThat(err()).isEmpty();
        Process follow = shell("muster logs -f " + ID + " | head -n 1; echo \"${PIPESTATUS[@]}\"");
        assertThat(text(follow)).isEqualTo("worker-0 | line 0\n0 0\n");
        assertThat(err()).isEmpty();
    }

    /** The job is in: to hand it in again would be wrong. */
    @Test
    void whoseOutputIsClosedHasHandedInAllTheSame() throws IOException, InterruptedException {
        job();
        Process closed = shell("muster submit job.yaml >&-; echo $?; muster submit job.yaml -o json >&-; echo $?");
        assertThat(text(closed)).isEqualTo("0\n0\n");
        assertThat(err()).isEmpty();
        Process full = shell("muster submit job.yaml > /dev/full; echo $?");
        assertThat(text(full)).isEqualTo("6\n");
        assertThat(err()).contains("job " + ID + " is handed in, but the output cannot be written");
    }

    @Test
    void aRunWhoseReaderGoesAwayLeavesTheJobRunning() throws IOException, InterruptedException {
        job();
        service.on("GET /jobs/" + ID + "/logs", call -> {
            for (int line = 0; line < 10_000; line++) {
                call.piece("worker-0 | line " + line + "\n");
            }
            over.await();
        });
        Process run = shell("muster run job.yaml | head -n 2 > head; echo \"${PIPESTATUS[@]}\"");
        assertThat(text(run)).isEqualTo("130 0\n");
        assertThat(end(run)).isZero();
        assertThat(err()).contains("left " + ID + " running").doesNotContain("Exception");
    }

    @Test
    void aFullDiskIsToldAndNotSilent() throws IOException, InterruptedException {
        service.on(
                "GET /jobs/" + ID + "/logs",
                call -> call.piece("worker-0 | line\n").end());
        Process logs = shell("muster logs " + ID + " > /dev/full; echo $?");
        assertThat(text(logs)).isEqualTo("6\n");
        assertThat(err()).contains("the output cannot be written").contains("No space left");
    }

    @Test
    void b59_outputIsUtf8InAnyLocale() throws IOException, InterruptedException {
        service.on(
                "GET /jobs/" + ID,
                200,
                Documents.ended("Failed", Optional.of("UserError: не найдено 模型"), Optional.empty()));
        Process get = shell("LC_ALL=C muster get " + ID);
        assertThat(text(get)).contains("UserError: не найдено 模型");
        assertThat(end(get)).isZero();
    }

    @Test
    void theTrainingOfTheCacheRunsAndLeavesNothingBehind() throws IOException, InterruptedException {
        Process training = shell("unset MUSTER_SERVER; " + command().replace("cli.Main", "cli.Training"));
        assertThat(text(training)).isEmpty();
        assertThat(end(training)).isZero();
        assertThat(err()).isEmpty();
    }
}
