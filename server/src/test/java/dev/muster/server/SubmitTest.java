package dev.muster.server;

import static dev.muster.server.AccessTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.FieldProblem;
import dev.muster.api.Needs;
import dev.muster.api.ProblemDocument;
import dev.muster.api.ProblemType;
import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import dev.muster.model.JobId;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubmitTest {
    @TempDir
    private static Path folder;

    private static Served served;

    @BeforeAll
    static void start() {
        served = new Served(folder.resolve("home"));
    }

    @AfterAll
    static void stop() {
        served.close();
    }

    @Test
    void a01_everyMissingFieldIsNamedAtOnceAndNothingIsStored() {
        int before = jobs();
        HttpResponse<String> answer =
                served.post("/v1/jobs", Served.jobRequest("{}").toString());
        assertProblem(answer, ProblemType.INVALID);
        assertThat(fields(answer)).contains("name", "framework", "command");
        assertThat(jobs()).isEqualTo(before);
    }

    @Test
    void a02_badValuesOfTextFrameworkBackendAndCapacityAreToldAtOnce() {
        String text = "{\"name\":\"Job A\",\"framework\":\"plain\",\"command\":[\"true\"],\"workers\":9,"
                + "\"env\":{\"MUSTER_RANK\":\"1\"},\"checkpoint\":{},\"local\":{\"address\":\"nowhere\"}}";
        HttpResponse<String> answer =
                served.post("/v1/jobs", Served.jobRequest(text).toString());
        assertProblem(answer, ProblemType.INVALID);
        assertThat(fields(answer)).contains("name", "env.MUSTER_RANK", "checkpoint");
        assertThat(answer.body()).contains("nowhere").contains("processes");
        assertThat(fields(answer)).doesNotHaveDuplicates();
    }

    /** Only where it is certain: nothing that would run is refused. */
    @Test
    void aScriptThatWillNotBeThereIsToldAtOnce() {
        String digest = Served.json(served.put("/v1/code", Tars.of(Map.of("train.py", "print(1)\n", "sub/a.py", ""))))
                .text("digest");
        Map<String, Json> sent = Map.of("code", Json.of(digest));
        for (String command : List.of(
                "python trian.py", "python3 -u sub/b.py train.py", "python ../train.py", "mpirun python3 trian.py")) {
            HttpResponse<String> answer =
                    served.post("/v1/jobs", with(script(command, true), sent).toString());
            assertThat(fields(answer)).as(command).containsExactly("command");
        }
        for (String command : List.of(
                "python train.py",
                "python3 -u ./sub/a.py",
                "python -m nosuch.py",
                "python -X nosuch.py train.py",
                "python /nosuch.py",
                "sh nosuch.py",
                "mpirun python3 train.py",
                "mpirun -v python3 nosuch.py",
                "python nosuch")) {
            HttpResponse<String> answer =
                    served.post("/v1/jobs", with(script(command, true), sent).toString());
            assertThat(answer.statusCode()).as(command + answer.body()).isEqualTo(201);
            served.send(served.request("/v1/jobs/scripted?cancel=true").DELETE());
        }
        assertThat(served.post("/v1/jobs", script("python train.py", false).toString())
                        .body())
                .contains("without code the working folder is empty")
                .contains("code: .");
    }

    private static JsonFields script(String command, boolean code) {
        String list = Arrays.stream(command.split(" "))
                .map(Json::of)
                .map(Json::toString)
                .collect(Collectors.joining(","));
        return Served.jobRequest("{\"name\":\"scripted\",\"framework\":\"plain\",\"suspended\":true,"
                + (code ? "\"code\":\".\"," : "") + "\"command\":[" + list + "]}");
    }

    @Test
    void whatTwoChecksFindIsToldOnce() {
        String text = "{\"name\":\"later\",\"framework\":\"jvm\",\"command\":[\"true\"]}";
        HttpResponse<String> answer =
                served.post("/v1/jobs", Served.jobRequest(text).toString());
        assertProblem(answer, ProblemType.INVALID);
        assertThat(problem(answer).problems()).isNotEmpty().doesNotHaveDuplicates();
    }

    @Test
    void aSecretThatTheTextDoesNotNameIsNotKept() {
        String text = "{\"name\":\"named\",\"framework\":\"plain\",\"suspended\":true,\"command\":[\"true\"],"
                + "\"secrets\":{\"TOKEN\":{\"env\":\"T\"}}}";
        JsonFields request =
                with(Served.jobRequest(text), Map.of("secrets", Json.ofTexts(Map.of("TOKEN", "s", "OTHER", "o"))));
        String job = Served.json(served.post("/v1/jobs", request.toString())).text("id");
        assertThat(served.parts.ports().store().secrets(new JobId(job))).containsExactly(Map.entry("TOKEN", "s"));
    }

    @Test
    void whatIsNeededIsAskedForAtOnceAndSentAlongIsTaken() throws Exception {
        String text = "{\"name\":\"needy\",\"framework\":\"plain\",\"command\":[\"cat\",\"a.txt\"],\"code\":\"src\","
                + "\"environment\":{\"python\":{\"requirements\":\"r.txt\"}},\"secrets\":{\"TOKEN\":{\"env\":\"HF_TOKEN\"}}}";
        JsonFields request = Served.jobRequest(text);
        HttpResponse<String> answer = served.post("/v1/jobs", request.toString());
        assertProblem(answer, ProblemType.NEEDS);
        assertThat(problem(answer).needs())
                .contains(new Needs(Optional.of("src"), List.of("r.txt"), Map.of("TOKEN", "HF_TOKEN")));

        String digest = Served.json(served.put("/v1/code", Tars.of(Map.of("a.txt", "hello\n"))))
                .text("digest");
        assertThat(served.send(served.request("/v1/code/" + digest).HEAD()).statusCode())
                .isEqualTo(204);
        String unknown = "sha256:" + "0".repeat(64);
        assertThat(served.send(served.request("/v1/code/" + unknown).HEAD()).statusCode())
                .isEqualTo(404);
        JsonFields whole = with(
                request,
                Map.of(
                        "code", Json.of(unknown),
                        "requirements", Json.ofTexts(Map.of("r.txt", "")),
                        "secrets", Json.ofTexts(Map.of("TOKEN", "s"))));
        HttpResponse<String> stillMissing = served.post("/v1/jobs", whole.toString());
        assertThat(problem(stillMissing).needs()).contains(new Needs(Optional.of("src"), List.of(), Map.of()));

        HttpResponse<String> taken = served.post(
                "/v1/jobs", with(whole, Map.of("code", Json.of(digest))).toString());
        assertThat(taken.statusCode()).isEqualTo(201);
        served.await(Served.json(taken).text("id"), "Succeeded");
    }

    @Test
    void aRefusedArchiveIsToldAndStoresNothing() {
        assertProblem(served.put("/v1/code", Tars.of(Map.of("../up", "x"))), ProblemType.INVALID);
        assertProblem(served.put("/v1/code", "no tar".getBytes()), ProblemType.INVALID);
    }

    @Test
    void a03_aSubmittedJobIsFoundAtEveryLaterInstant() throws Exception {
        for (int round = 0; round < 10; round++) {
            String job = served.submit(Served.shell("quick-" + round, "true"));
            for (int poll = 0; poll < 20; poll++) {
                assertThat(served.get("/v1/jobs/" + job).statusCode()).isEqualTo(200);
            }
        }
    }

    @Test
    void a04_theSameIdempotencyKeyGivesTheSameJob() {
        String request = Served.jobRequest(Served.shell("keyed", "true")).toString();
        HttpResponse<String> first = served.send(
                served.request("/v1/jobs").header("Idempotency-Key", "k1").POST(BodyPublishers.ofString(request)));
        HttpResponse<String> again = served.post(
                "/v1/jobs",
                with((JsonFields) Json.parse(request), Map.of("key", Json.of("k1")))
                        .toString());
        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(again.body()).isEqualTo(first.body());
        String job = Served.json(first).text("id");
        served.await(job, "Succeeded");
        assertThat(Served.json(served.get("/v1/jobs?name=keyed")).list("items", item -> item))
                .hasSize(1);
    }

    @Test
    void b52_aNameThatALiveJobHasIsRefusedAndFreeAgainAfterItsEnd() {
        String first = served.submit(Served.shell("taken", "exec sleep 600"));
        HttpResponse<String> second = served.post(
                "/v1/jobs", Served.jobRequest(Served.shell("taken", "true")).toString());
        assertProblem(second, ProblemType.NAME_TAKEN);
        assertThat(problem(second).detail()).contains(first);
        served.post("/v1/jobs/" + first + "/cancel", "");
        served.await(first, "Cancelled");
        String next = served.submit(Served.shell("taken", "true"));
        assertThat(next).isNotEqualTo(first);
        assertThat(Served.json(served.get("/v1/jobs/taken")).text("id")).isEqualTo(next);
    }

    @Test
    void aRelativeFolderIsRefusedTogetherWithTheText() {
        JsonFields request =
                with(Served.jobRequest("{}"), Map.of("folder", Json.of("rel"), "python", Json.of("python3")));
        HttpResponse<String> answer = served.post("/v1/jobs", request.toString());
        assertThat(fields(answer)).contains("folder", "python", "name");
    }

    @Test
    void whatNoProcessCanBeGivenIsRefusedAndNothingIsStored() {
        int before = jobs();
        JsonFields request = Served.jobRequest(Served.shell("nul", "true"));
        for (Map.Entry<String, Json> wrong : Map.<String, Json>of(
                        "folder", Json.of("/a\0b"),
                        "python", Json.of("/a\0b"),
                        "path", Json.of("\0"),
                        "key", Json.of("k\0"),
                        "code", Json.of("sha256:\0"),
                        "requirements", Json.ofTexts(Map.of("r.txt", "\0")),
                        "secrets", Json.ofTexts(Map.of("TOKEN", "\0")))
                .entrySet()) {
            HttpResponse<String> answer = served.post(
                    "/v1/jobs",
                    with(request, Map.of(wrong.getKey(), wrong.getValue())).toString());
            assertProblem(answer, ProblemType.INVALID);
            assertThat(fields(answer)).singleElement().asString().startsWith(wrong.getKey());
            assertThat(answer.body()).contains("NUL");
        }
        for (String field : List.of(
                "\"code\":\"a\\u0000b\"",
                "\"checkpoints\":{\"from\":\"/a\\u0000b\"}",
                "\"data\":{\"d\":\"/a\\u0000b\"}",
                "\"environment\":{\"python\":{\"interpreter\":\"/a\\u0000b\"}}",
                "\"environment\":{\"python\":{\"requirements\":\"a\\u0000b\"}}")) {
            String text = "{\"name\":\"nul\",\"framework\":\"plain\",\"command\":[\"true\"]," + field + "}";
            HttpResponse<String> answer =
                    served.post("/v1/jobs", Served.jobRequest(text).toString());
            assertProblem(answer, ProblemType.INVALID);
        }
        assertThat(jobs()).isEqualTo(before);
    }

    @Test
    void aMissingCheckpointToStartFromIsToldAtSubmissionAndPlan() throws Exception {
        int before = jobs();
        String text = "{\"name\":\"from\",\"framework\":\"plain\",\"workers\":0,\"command\":[\"true\"],"
                + "\"checkpoints\":{\"from\":\"%s\"}}";
        for (String from : List.of("/nosuch", "nosuch", "out/step_1")) {
            for (String route : List.of("/v1/jobs", "/v1/plans")) {
                HttpResponse<String> answer = served.post(
                        route, Served.jobRequest(text.formatted(from)).toString());
                assertProblem(answer, ProblemType.INVALID);
                assertThat(fields(answer)).contains("workers", "checkpoints.from");
                assertThat(answer.body()).contains("nothing at /");
            }
        }
        assertThat(jobs()).isEqualTo(before);

        Path there = Files.createDirectories(folder.resolve("outside"));
        Files.writeString(there.resolve("step_1"), "x");
        Files.createFile(there.resolve("ckpt-1.index"));
        for (String from : List.of("", "/step_1", "/ckpt-1")) {
            HttpResponse<String> answer = served.post(
                    "/v1/jobs", Served.jobRequest(text.formatted(there + from)).toString());
            assertThat(fields(answer)).contains("workers").doesNotContain("checkpoints.from");
        }
    }

    @Test
    void missingDataIsToldAtSubmissionAndPlan() throws Exception {
        int before = jobs();
        String text =
                "{\"name\":\"data\",\"framework\":\"plain\",\"workers\":0,\"command\":[\"true\"],\"data\":{\"in\":\"%s\"}}";
        for (String route : List.of("/v1/jobs", "/v1/plans")) {
            HttpResponse<String> answer = served.post(
                    route, Served.jobRequest(text.formatted("no/such")).toString());
            assertProblem(answer, ProblemType.INVALID);
            assertThat(fields(answer)).contains("workers", "data.in");
            assertThat(answer.body()).contains("data.in is not there: /tmp/no/such");
        }
        assertThat(jobs()).isEqualTo(before);
        Path there = Files.createDirectories(folder.resolve("here"));
        for (String place :
                List.of(there.toString(), Path.of("/tmp").relativize(there).toString())) {
            HttpResponse<String> answer = served.post(
                    "/v1/plans", Served.jobRequest(text.formatted(place)).toString());
            assertThat(fields(answer)).contains("workers").doesNotContain("data.in");
        }
    }

    private static int jobs() {
        return Served.json(served.get("/v1/jobs?limit=1000"))
                .list("items", item -> item)
                .size();
    }

    static ProblemDocument problem(HttpResponse<String> answer) {
        return ProblemDocument.of(Served.json(answer));
    }

    private static List<String> fields(HttpResponse<String> answer) {
        return problem(answer).problems().stream().map(FieldProblem::field).toList();
    }

    static JsonFields with(JsonFields fields, Map<String, Json> more) {
        Map<String, Json> all = new HashMap<>(fields.values());
        all.putAll(more);
        return new JsonFields(all);
    }

    @Test
    void a1_whatIsNeededIsToldTogetherWithWhatIsWrong() {
        String text =
                "{\"name\":\"Bad Name\",\"framework\":\"plain\",\"command\":[\"python\",\"a.py\"],\"code\":\"src\","
                        + "\"environment\":{\"python\":{\"requirements\":\"r.txt\",\"interpreter\":\"/no/python\"}},"
                        + "\"secrets\":{\"TOKEN\":{\"env\":\"HF_TOKEN\"}}}";
        HttpResponse<String> answer =
                served.post("/v1/jobs", Served.jobRequest(text).toString());
        assertProblem(answer, ProblemType.INVALID);
        assertThat(fields(answer)).containsExactlyInAnyOrder("name", "environment.python.interpreter");
        assertThat(problem(answer).needs())
                .contains(
                        new Needs(Optional.of("src"), List.of("a.py"), List.of("r.txt"), Map.of("TOKEN", "HF_TOKEN")));
    }

    @Test
    void aScriptWithoutCodeIsToldTogetherWithWhatIsWrong() {
        String text = "{\"name\":\"Bad Name\",\"framework\":\"plain\",\"command\":[\"python\",\"a.py\"]}";
        assertThat(fields(served.post("/v1/jobs", Served.jobRequest(text).toString())))
                .containsExactly("name", "command");
        assertThat(fields(served.post("/v1/plans", Served.jobRequest(text).toString())))
                .as("a plan needs no script")
                .containsExactly("name");
        String wrongCode = text.replace("\"command\"", "\"code\":[1],\"command\"");
        assertThat(fields(served.post("/v1/jobs", Served.jobRequest(wrongCode).toString())))
                .containsExactlyInAnyOrder("name", "code");
    }

    @Test
    void aPythonThatIsNotThereIsRefusedByPlanAndSubmissionAlike() {
        for (String interpreter : List.of("/no/python", "python9", "bin/python")) {
            String text = "{\"name\":\"snake\",\"framework\":\"plain\",\"command\":[\"true\"],"
                    + "\"environment\":{\"python\":{\"interpreter\":\"" + interpreter + "\"}}}";
            List<FieldProblem> told = List.of();
            for (String route : List.of("/v1/plans", "/v1/jobs")) {
                HttpResponse<String> answer =
                        served.post(route, Served.jobRequest(text).toString());
                assertProblem(answer, ProblemType.INVALID);
                List<FieldProblem> problems = problem(answer).problems();
                assertThat(problems).hasSize(1).allSatisfy(problem -> {
                    assertThat(problem.field()).isEqualTo("environment.python.interpreter");
                    assertThat(problem.message()).contains(interpreter).doesNotContain("environment.python");
                });
                assertThat(told.isEmpty() || told.equals(problems)).isTrue();
                told = problems;
            }
        }
        assertProblem(served.get("/v1/jobs/snake"), ProblemType.NOT_FOUND);
    }
}
