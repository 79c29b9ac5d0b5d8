package dev.muster.server;

import dev.muster.api.ServiceFile;
import dev.muster.api.ServiceHome;
import dev.muster.api.Submitted;
import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import dev.muster.server.home.MusterHome;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The run from which the build makes the ahead-of-time cache of the service: it runs one small job through a service of its own, so that
 * what a service loads and links is in the cache. It ends by itself, leaves no process behind and keeps its state under MUSTER_HOME, which
 * is an empty folder that goes afterwards.
 */
final class Training {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ServiceHome home;

    private Training(ServiceHome home) {
        this.home = home;
    }

    public static void main(String[] arguments) throws Exception {
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        Path folder = Path.of(System.getenv("MUSTER_HOME")).toAbsolutePath();
        Thread client = Thread.ofPlatform().daemon().start(() -> new Training(new ServiceHome(folder)).use());
        Main.run(List.of("--home", folder.toString()));
        client.join();
    }

    private void use() {
        try {
            ServiceFile service = started();
            ask(service, "GET", "/v1/health", "");
            String text = "name: training\nframework: plain\ncommand: [sh, -c, 'echo step; echo done']\n";
            String request = Json.object()
                    .put("text", text)
                    .put("folder", home.folder().toString())
                    .put("path", System.getenv().getOrDefault("PATH", "/usr/bin:/bin"))
                    .build()
                    .toString();
            ask(service, "POST", "/v1/plans", request);
            String id = Submitted.of((JsonFields) Json.parse(ask(service, "POST", "/v1/jobs", request)))
                    .id();
            for (String path : List.of("/watch", "", "/logs?follow=true", "/events", "/plan", "/checkpoints")) {
                ask(service, "GET", "/v1/jobs/" + id + path, "");
            }
            ask(service, "GET", "/v1/jobs", "");
            ask(service, "POST", "/v1/service/stop", "{\"cancel\":true}");
        } catch (IOException | InterruptedException | RuntimeException failed) {
            System.err.println("The run for the cache of the service failed: " + failed);
            System.exit(1);
        }
    }

    private ServiceFile started() throws InterruptedException {
        for (Duration waited = Duration.ZERO; waited.compareTo(PATIENCE) < 0; waited = waited.plusMillis(50)) {
            Optional<ServiceFile> service = MusterHome.announced(home);
            if (service.isPresent()) {
                return service.get();
            }
            Thread.sleep(50);
        }
        throw new IllegalStateException("it did not start within " + PATIENCE.toSeconds() + " s");
    }

    private String ask(ServiceFile service, String method, String path, String body) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(service.address() + path).toURL().openConnection();
        connection.setRequestMethod(method);
        connection.setRequestProperty(
                "Authorization", "Bearer " + Files.readString(home.token()).strip());
        if (!body.isEmpty()) {
            connection.setDoOutput(true);
            connection.setRequestProperty("Content-Type", "application/json");
            try (OutputStream out = connection.getOutputStream()) {
                out.write(body.getBytes(StandardCharsets.UTF_8));
            }
        }
        if (connection.getResponseCode() >= 300) {
            throw new IOException(method + " " + path + " was answered " + connection.getResponseCode());
        }
        return new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
