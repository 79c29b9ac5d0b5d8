package dev.muster.server;

import static dev.muster.server.AccessTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.api.ProblemDocument;
import dev.muster.api.ProblemType;
import dev.muster.api.ServiceDocument;
import dev.muster.api.ServiceFile;
import dev.muster.formats.json.JsonFields;
import dev.muster.server.home.MusterHome;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceTest {
    private static final OpenApi OPEN_API = new OpenApi();

    @TempDir
    private Path folder;

    @Test
    void itTellsWhereItIsAndTakesThatBackWhenItStops() {
        Path home = folder.resolve("home");
        try (Served served = new Served(home)) {
            ServiceFile file = MusterHome.announced(served.home.paths()).orElseThrow();
            assertThat(file.address()).isEqualTo(served.service.address());
            assertThat(file.pid()).isEqualTo(ProcessHandle.current().pid());
            assertThat(file.startedAt())
                    .isEqualTo(ProcessHandle.current().info().startInstant().orElseThrow());
            JsonFields service = Served.json(served.get("/v1/service"));
            assertThat(OPEN_API.problems("ServiceDocument", service)).isEmpty();
            assertThat(ServiceDocument.of(service).build()).contains("test-build");
        }
        assertThat(home.resolve("service.json")).doesNotExist();
    }

    @Test
    void everyOperationOfTheDescriptionIsServed() {
        try (Served served = new Served(folder.resolve("home"))) {
            for (String operation : OPEN_API.operations()) {
                String[] words = operation.replaceAll("\\{\\w+}", "none").split(" ");
                if (words[1].equals("/v1/service/stop")) {
                    continue;
                }
                int status = served.send(served.request(words[1]).method(words[0], BodyPublishers.noBody()))
                        .statusCode();
                assertThat(status).as(operation).isNotEqualTo(405).isLessThan(500);
                assertThat(served.get("/v1/none").body()).contains("There is no resource");
            }
        }
    }

    @Test
    void itGivesItsOwnDescription() throws IOException {
        try (Served served = new Served(folder.resolve("home"))) {
            HttpResponse<String> answer = served.get("/openapi.yaml");
            assertThat(answer.headers().firstValue("Content-Type")).contains("application/yaml");
            assertThat(answer.body()).isEqualTo(Files.readString(Path.of("../api/openapi.yaml")));
            assertThat(served.get("/v1/none").body()).contains("GET /openapi.yaml");
        }
    }

    /** A parameter that is misspelled would else be taken for one that was not given. */
    @Test
    void everyParameterOfTheDescriptionIsReadAndAnyOtherRefused() {
        try (Served served = new Served(folder.resolve("home"))) {
            for (String operation : OPEN_API.operations()) {
                String[] words = operation.replaceAll("\\{\\w+}", "none").split(" ");
                for (String name : OPEN_API.queryParameters(operation)) {
                    HttpResponse<String> known = served.send(
                            served.request(words[1] + "?" + name + "=1").method(words[0], BodyPublishers.noBody()));
                    assertThat(known.body()).as(operation + " " + name).doesNotContain("is no parameter");
                }
                HttpResponse<String> unknown =
                        served.send(served.request(words[1] + "?nosuch=1").method(words[0], BodyPublishers.noBody()));
                assertThat(unknown.statusCode()).as(operation).isEqualTo(400);
            }
            HttpResponse<String> misspelled = served.get("/v1/jobs?stat=Running&limit=2&lmit");
            assertThat(ProblemDocument.of(Served.json(misspelled)).problems())
                    .extracting(problem ->
                            problem.field() + " -> " + problem.suggestion().orElse(""))
                    .containsExactly("lmit -> limit", "stat -> state");
            assertThat(misspelled.body()).contains("'stat' is no parameter of GET /v1/jobs, which has before, limit");
        }
    }

    @Test
    void a18_aCleanStopLeavesWorkersAloneAndTheNextServiceTakesThemUp() throws Exception {
        Path home = folder.resolve("home");
        String job;
        long pid;
        try (Served served = new Served(home)) {
            job = served.submit(Served.shell("lasting", "exec sleep 600"));
            JsonFields running = served.await(job, "Running");
            pid = running.list("processes", each -> each).getFirst().integer("pid");
            assertThat(served.post("/v1/service/stop", "").statusCode()).isEqualTo(202);
            served.service.awaitStop(Duration.ofHours(1));
        }
        assertThat(ProcessHandle.of(pid)).isPresent();
        try (Served next = new Served(home)) {
            JsonFields document = next.await(job, "Running");
            assertThat(document.list("processes", each -> each).getFirst().integer("pid"))
                    .isEqualTo(pid);
            next.post("/v1/jobs/" + job + "/cancel", "");
            next.await(job, "Cancelled");
        }
        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
    }

    @Test
    void aStopWithCancelEndsEveryJobFirst() throws Exception {
        Path home = folder.resolve("home");
        String running;
        String suspended;
        try (Served served = new Served(home)) {
            running = served.submit(Served.shell("running", "exec sleep 600"));
            served.await(running, "Running");
            suspended = served.submit(
                    "{\"name\":\"waiting\",\"framework\":\"plain\",\"suspended\":true,\"command\":[\"true\"]}");
            assertThat(served.post("/v1/service/stop", "{\"cancel\":true}").statusCode())
                    .isEqualTo(202);
            assertProblem(
                    served.post(
                            "/v1/jobs",
                            Served.jobRequest(Served.shell("late", "true")).toString()),
                    ProblemType.UNAVAILABLE);
            assertProblem(served.get("/v1/ready"), ProblemType.UNAVAILABLE);
            served.await(running, "Cancelled");
            served.await(suspended, "Cancelled");
        }
    }

    @Test
    void aFollowerIsCutAndNotEndedWellWhenTheServiceStops() throws Exception {
        CompletableFuture<String> watched;
        try (Served served = new Served(folder.resolve("home"))) {
            String job = served.submit(
                    "{\"name\":\"waiting\",\"framework\":\"plain\",\"suspended\":true,\"command\":[\"true\"]}");
            HttpResponse<InputStream> answer =
                    served.send(served.request("/v1/jobs/" + job + "/watch"), BodyHandlers.ofInputStream());
            watched = CompletableFuture.supplyAsync(() -> {
                try {
                    return new String(answer.body().readAllBytes());
                } catch (IOException cut) {
                    throw new UncheckedIOException(cut);
                }
            });
            served.service.close();
            assertThatThrownBy(() -> watched.get(60, TimeUnit.SECONDS)).hasMessageContaining("IOException");
        }
    }

    @Test
    void aServiceThatNobodyUsesEndsAndOneWithAJobDoesNot() throws Exception {
        try (Served served = new Served(folder.resolve("home"))) {
            String job = served.submit(Served.shell("short", "sleep 1"));
            Duration idle = Duration.ofMillis(200);
            CompletableFuture<Void> stop = CompletableFuture.runAsync(() -> {
                try {
                    served.service.awaitStop(idle);
                } catch (InterruptedException never) {
                    throw new IllegalStateException(never);
                }
            });
            stop.get(60, TimeUnit.SECONDS);
            assertThat(served.parts.ports().store().live()).isEmpty();
            assertThat(served.parts
                            .ports()
                            .store()
                            .named("short", dev.muster.spi.Projects.ALL)
                            .orElseThrow()
                            .value())
                    .isEqualTo(job);
            assertProblem(served.get("/v1/jobs"), ProblemType.UNAVAILABLE);
            assertThat(served.get("/v1/jobs").headers().firstValue("Retry-After"))
                    .contains("1");
        }
    }

    @Test
    void aServiceEndsWhenItsHomeWasRemoved() throws Exception {
        Path home = folder.resolve("home");
        try (Served served = new Served(home)) {
            CompletableFuture<Void> stop = CompletableFuture.runAsync(() -> {
                try {
                    served.service.awaitStop(Duration.ofHours(1), Duration.ofMillis(50));
                } catch (InterruptedException never) {
                    throw new IllegalStateException(never);
                }
            });
            assertThatThrownBy(() -> stop.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            Files.move(home, folder.resolve("removed"));
            stop.get(60, TimeUnit.SECONDS);
        }
    }
}
