package dev.muster.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretsTest {
    private static final String SECRET = "s3cr3tXYZ";

    @TempDir
    private Path folder;

    @Test
    void a11_b58_aSecretIsFoundInTheWorkersEnvironmentAndNowhereElse() throws IOException {
        Path home = folder.resolve("home");
        long service;
        try (ServiceProcess process = ServiceProcess.start(home)) {
            service = process.pid();
            JsonFields request = SubmitTest.with(
                    Served.jobRequest(
                            "{\"name\":\"secretive\",\"framework\":\"plain\",\"grace\":\"1s\","
                                    + "\"secrets\":{\"TOKEN\":{\"env\":\"T\"}},\"command\":[\"sh\",\"-c\",\"echo begun; exec sleep 600\"]}"),
                    Map.of("secrets", Json.ofTexts(Map.of("TOKEN", SECRET, "UNASKED", SECRET + "2"))));
            String job =
                    Served.json(process.post("/v1/jobs", request.toString())).text("id");
            JsonFields running = process.await(job, "Running");
            long worker = running.list("processes", each -> each).getFirst().integer("pid");
            Served.until(() -> environ(worker).contains("TOKEN=" + SECRET));
            assertThat(environ(worker)).doesNotContain("UNASKED");

            Served.until(() -> process.get("/v1/jobs/" + job + "/logs").body().contains("begun"));
            for (String path : List.of("", "/events", "/plan", "/logs", "/metrics", "/checkpoints")) {
                assertThat(process.get("/v1/jobs/" + job + path).body())
                        .as(path)
                        .isNotEmpty()
                        .doesNotContain(SECRET);
            }
            assertThat(process.get("/v1/jobs").body()).contains(job).doesNotContain(SECRET);
            assertThat(commandLines()).contains("sleep").doesNotContain(SECRET);
            assertThat(environ(service)).doesNotContain(SECRET);
            assertNowhereBelow(home);
            process.post("/v1/jobs/" + job + "/cancel", "");
            process.await(job, "Cancelled");
            assertNowhereBelow(home);
        }
        assertNowhereBelow(home);
    }

    /** Database, service log, launch files, whatever there is, as bytes. Meanwhile the service may remove what an ended job left. */
    private static void assertNowhereBelow(Path home) throws IOException {
        List<Path> seen = new ArrayList<>();
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(home, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                seen.add(file);
                if (attributes.isRegularFile() && text(file).contains(SECRET)) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failed) throws IOException {
                return unlessGone(failed);
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, IOException failed) throws IOException {
                return failed == null ? FileVisitResult.CONTINUE : unlessGone(failed);
            }
        });
        assertThat(seen).extracting(file -> file.getFileName().toString()).contains("muster.db");
        assertThat(found).isEmpty();
    }

    private static FileVisitResult unlessGone(IOException failed) throws IOException {
        if (failed instanceof NoSuchFileException) {
            return FileVisitResult.CONTINUE;
        }
        throw failed;
    }

    private static String commandLines() throws IOException {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return String.join(
                    "\n",
                    processes
                            .filter(process -> process.getFileName().toString().matches("\\d+"))
                            .map(process -> text(process.resolve("cmdline")))
                            .toList());
        }
    }

    private static String environ(long pid) {
        return text(Path.of("/proc", Long.toString(pid), "environ")).replace('\0', '\n');
    }

    private static String text(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }
}
