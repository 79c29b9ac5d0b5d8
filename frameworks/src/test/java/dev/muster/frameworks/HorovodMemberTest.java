package dev.muster.frameworks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.frameworks.horovod.HorovodFramework;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The real {@code member.py}, before a driver of the test's own, and with a Horovod that only has what it looks for. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HorovodMemberTest {
    private static final String ME = "{\"host\": \"worker-1-a1\", \"local\": \"0\", \"slots\": \"1\"}";

    private static final String BASICS = """
            import os

            class HorovodBasics:
                def init(self, *words, **named):
                    print("rank", os.environ["HOROVOD_RANK"], *words, flush=True)
            """;

    @TempDir
    private Path folder;

    private ServerSocket driver;
    private Process started;

    @BeforeEach
    void listens() throws IOException {
        driver = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        driver.setSoTimeout(30_000);
        Path common = Files.createDirectories(folder.resolve("horovod/common"));
        Files.createFile(folder.resolve("horovod/__init__.py"));
        Files.createFile(common.resolve("__init__.py"));
        Files.writeString(common.resolve("basics.py"), BASICS);
        resource("horovod/member.py", HorovodFramework.class.getResourceAsStream("member.py"));
        resource("_muster_script.py", ScriptRunner.class.getResourceAsStream("script.py"));
    }

    @AfterEach
    void closes() throws IOException {
        driver.close();
        started.destroyForcibly();
    }

    private void resource(String name, InputStream from) throws IOException {
        try (from) {
            Files.write(folder.resolve(name), from.readAllBytes());
        }
    }

    private Process start(String script) throws IOException {
        return start("python3", script);
    }

    /** By the machine's Python, which is to run the script by another one, or by itself under any name. */
    private Process start(String python, String script) throws IOException {
        Files.writeString(folder.resolve("train.py"), script);
        List<String> line = List.of(
                "python3",
                folder.resolve("horovod/member.py").toString(),
                driver.getInetAddress().getHostAddress(),
                Integer.toString(driver.getLocalPort()),
                python,
                "train.py");
        ProcessBuilder builder =
                new ProcessBuilder(line).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().put("PYTHONPATH", folder.toString());
        builder.environment().put("HOROVOD_HOSTNAME", "worker-1-a1");
        builder.environment().put("HOROVOD_LOCAL_RANK", "0");
        builder.environment().put("HOROVOD_LOCAL_SIZE", "1");
        started = builder.start();
        return started;
    }

    private static BufferedReader lines(InputStream in) {
        return new BufferedReader(new InputStreamReader(in, UTF_8));
    }

    private static void say(Socket member, String line) throws IOException {
        member.getOutputStream().write((line + "\n").getBytes(UTF_8));
    }

    @Test
    void a45_itIsThereWhenItsScriptComesToInitAndNotBefore() throws IOException {
        Process process = start("""
                import os
                from horovod.common.basics import HorovodBasics
                print("imported", "HOROVOD_RANK" in os.environ, flush=True)
                input()
                HorovodBasics().init("a")
                HorovodBasics().init("b")
                """);
        BufferedReader said = lines(process.getInputStream());
        try (Socket member = driver.accept()) {
            assertThat(said.readLine()).isEqualTo("imported False");
            assertThat(member.getInputStream().available()).isZero();
            process.outputWriter().append("\n").flush();
            BufferedReader told = lines(member.getInputStream());
            assertThat(told.readLine()).isEqualTo(ME);
            say(member, "{\"env\": {\"HOROVOD_RANK\": \"3\"}}");
            assertThat(said.lines()).containsExactly("rank 3 a", "rank 3 b");
            assertThat(told.lines()).containsExactly("{\"code\": 0}");
        }
    }

    @Test
    void a45_oneThatFailsBeforeSaysNothingThatOthersWouldWaitFor() throws Exception {
        Process process = start("raise ValueError('no data')");
        try (Socket member = driver.accept()) {
            assertThat(lines(member.getInputStream()).lines()).isEmpty();
        }
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isOne();
        assertThat(lines(process.getInputStream()).lines()).last().asString().contains("no data");
    }

    @Test
    void aPythonThatTheScriptStartsHasItsRank() throws IOException {
        Process process = start("""
                import subprocess, sys
                subprocess.run([sys.executable, "-c", "import os; print('child', os.environ['HOROVOD_RANK'])"])
                """);
        try (Socket member = driver.accept()) {
            assertThat(lines(member.getInputStream()).readLine()).isEqualTo(ME);
            say(member, "{\"env\": {\"HOROVOD_RANK\": \"2\"}}");
            assertThat(lines(process.getInputStream()).lines()).containsExactly("child 2");
        }
    }

    /** In an image it is {@code python}, in a local job the full path of its environment's. */
    @Test
    void thisPythonUnderAnotherNameIsThereWhenItComesToInit() throws Exception {
        Path python = Files.createSymbolicLink(
                folder.resolve("python"), Path.of(answer("import sys; print(sys.executable)")));
        Process process = start(python.toString(), "print('over', flush=True); input()");
        try (Socket member = driver.accept()) {
            BufferedReader said = lines(process.getInputStream());
            assertThat(said.readLine()).isEqualTo("over");
            assertThat(member.getInputStream().available()).isZero();
            process.outputWriter().append("\n").flush();
            assertThat(said.lines()).isEmpty();
        }
    }

    /** Its packages are others: it is to run itself, and has its rank from the beginning. */
    @Test
    void aPythonOfAnotherEnvironmentRunsTheScriptItself() throws Exception {
        answer(
                "import sys, venv; venv.create(sys.argv[1], with_pip=False)",
                folder.resolve("env").toString());
        Process process = start(folder.resolve("env/bin/python").toString(), """
                import os, sys
                print(sys.prefix, os.environ["HOROVOD_RANK"])
                """);
        try (Socket member = driver.accept()) {
            assertThat(lines(member.getInputStream()).readLine()).isEqualTo(ME);
            say(member, "{\"env\": {\"HOROVOD_RANK\": \"1\"}}");
            assertThat(lines(process.getInputStream()).lines())
                    .containsExactly(folder.resolve("env").toRealPath() + " 1");
        }
    }

    /** What the machine's Python says to a program. */
    private static String answer(String program, String... words) throws Exception {
        List<String> line = Stream.concat(Stream.of("python3", "-c", program), Stream.of(words))
                .toList();
        Process asked = new ProcessBuilder(line).redirectErrorStream(true).start();
        String said = new String(asked.getInputStream().readAllBytes(), UTF_8).strip();
        assertThat(asked.waitFor()).as(said).isZero();
        return said;
    }

    @Test
    void whenTheTrainingIsOverItEndsWell() throws Exception {
        Process process = start("""
                from horovod.common.basics import HorovodBasics
                HorovodBasics().init()
                print("not here")
                """);
        try (Socket member = driver.accept()) {
            assertThat(lines(member.getInputStream()).readLine()).isEqualTo(ME);
            say(member, "{\"over\": true}");
            assertThat(lines(process.getInputStream()).lines())
                    .containsExactly("muster: the training was over when this worker came");
        }
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }
}
