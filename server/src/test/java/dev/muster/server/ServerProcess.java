package dev.muster.server;

import dev.muster.formats.json.JsonFields;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** {@code muster server} as a process of its own. */
final class ServerProcess implements AutoCloseable {
    private static final Pattern ANSWERS = Pattern.compile("answers at (https?://\\S+), process");

    private final Process process;
    private final Path output;
    final String address;
    final HttpClient client;

    private ServerProcess(Process process, Path output, HttpClient client) {
        this.process = process;
        this.output = output;
        this.client = client;
        Served.until(() -> found().isPresent() || !process.isAlive());
        this.address = found().orElseThrow(() -> new AssertionError(text()));
    }

    /** What a command of the server said, and how it ended. */
    record Said(int code, String out, String err) {}

    /** Runs a command in this JVM. */
    static Said say(String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = ServerMain.run(List.of(words), new PrintStream(out, true), new PrintStream(err, true));
        return new Said(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** Starts the service and waits until it answers. */
    static ServerProcess start(Path config, HttpClient client) {
        try {
            Path output = Files.createTempFile(config.getParent(), "server", ".out");
            Process process = new ProcessBuilder(
                            ProcessHandle.current().info().command().orElseThrow(),
                            "-XX:+UseSerialGC",
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("java.class.path"),
                            "dev.muster.server.ServerMain",
                            "--config",
                            config.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            return new ServerProcess(process, output, client);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private Optional<String> found() {
        Matcher matcher = ANSWERS.matcher(text());
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    String text() {
        try {
            return Files.readString(output);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    HttpResponse<String> ask(String token, String method, String path, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + path))
                .timeout(Duration.ofSeconds(90))
                .header("Authorization", "Bearer " + token)
                .method(method, BodyPublishers.ofString(body))
                .build();
        try {
            return client.send(request, BodyHandlers.ofString());
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }

    HttpResponse<String> get(String token, String path) {
        return ask(token, "GET", path, "");
    }

    JsonFields job(String token, String job) {
        return Served.json(get(token, "/v1/jobs/" + job));
    }

    /** SIGTERM, and its exit code. */
    int terminate() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(90, TimeUnit.SECONDS)) {
            throw new AssertionError("the service does not end");
        }
        return process.exitValue();
    }

    /** What the kernel shows to every user of the machine: arguments, and to its owner the environment. */
    Stream<Path> seenInProc() {
        Path proc = Path.of("/proc", Long.toString(process.pid()));
        return Stream.of(proc.resolve("cmdline"), proc.resolve("environ"));
    }

    @Override
    public void close() {
        process.destroyForcibly();
        client.close();
    }
}
