package dev.muster.server;

import dev.muster.api.ServiceFile;
import dev.muster.api.ServiceHome;
import dev.muster.formats.json.JsonFields;
import dev.muster.server.home.MusterHome;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** The service as users have it: a process of its own, found by what it tells in its home. */
final class ServiceProcess implements AutoCloseable {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final Process process;
    private final ServiceHome home;
    private ServiceFile service;

    private ServiceProcess(Process process, ServiceHome home) {
        this.process = process;
        this.home = home;
    }

    static ServiceProcess start(Path folder, String... more) {
        ServiceProcess started = launch(folder, more);
        Served.until(() -> MusterHome.announced(started.home)
                .filter(file -> file.pid() == started.pid())
                .isPresent());
        started.service = MusterHome.announced(started.home).orElseThrow();
        return started;
    }

    /** Starts the process and waits for nothing. Its output goes to a file beside the home. */
    static ServiceProcess launch(Path folder, String... more) {
        return launch(Map.of(), folder, more);
    }

    /** The same with further variables in its environment. */
    static ServiceProcess launch(Map<String, String> environment, Path folder, String... more) {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.muster.server.Main",
                "--home",
                folder.toString()));
        command.addAll(List.of(more));
        try {
            Path output = folder.resolveSibling(folder.getFileName() + ".out");
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            return new ServiceProcess(builder.start(), new ServiceHome(folder));
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    long pid() {
        return process.pid();
    }

    HttpResponse<String> get(String path) {
        return send(request(path).GET());
    }

    HttpResponse<String> post(String path, String body) {
        return send(request(path).POST(BodyPublishers.ofString(body)));
    }

    private HttpRequest.Builder request(String path) {
        try {
            return HttpRequest.newBuilder(URI.create(service.address() + path))
                    .timeout(Duration.ofSeconds(90))
                    .header(
                            "Authorization",
                            "Bearer "
                                    + Files.readString(Path.of(service.tokenFile()))
                                            .strip());
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return CLIENT.send(request.build(), BodyHandlers.ofString());
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }

    JsonFields await(String job, String state) {
        AtomicReference<JsonFields> seen = new AtomicReference<>();
        Served.until(() -> {
            seen.set(Served.json(get("/v1/jobs/" + job)));
            return seen.get().text("state").equals(state);
        });
        return seen.get();
    }

    /** SIGKILL: nothing can be tidied up. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** SIGTERM. */
    int terminate() throws InterruptedException {
        process.destroy();
        return exitCode();
    }

    int exitCode() throws InterruptedException {
        if (!process.waitFor(90, TimeUnit.SECONDS)) {
            throw new AssertionError("the service does not end");
        }
        return process.exitValue();
    }

    String output() throws IOException {
        return Files.readString(home.folder().resolveSibling(home.folder().getFileName() + ".out"));
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
