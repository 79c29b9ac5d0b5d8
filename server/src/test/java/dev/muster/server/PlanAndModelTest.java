package dev.muster.server;

import static dev.muster.server.AccessTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.PlanDocument;
import dev.muster.api.PlannedProcess;
import dev.muster.api.ProblemType;
import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import java.io.ByteArrayInputStream;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanAndModelTest {
    private static final OpenApi OPEN_API = new OpenApi();

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
    void thePlanIsByteForByteWhatIsLaunched() throws Exception {
        String text =
                "{\"name\":\"shown\",\"framework\":\"pytorch\",\"workers\":2,\"grace\":\"1s\",\"env\":{\"A\":\"l1\\nl2\",\"D\":\"\"},"
                        + "\"secrets\":{\"TOKEN\":{\"env\":\"T\"}},\"startDeadline\":\"1m\",\"command\":[\"sleep\",\"600\"]}";
        JsonFields request = Served.jobRequest(text);
        HttpResponse<String> answer = served.post("/v1/plans", request.toString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(OPEN_API.problems("POST", "/plans", 200, "application/json", answer.body()))
                .isEmpty();
        PlanDocument sample = PlanDocument.of(Served.json(answer));
        assertThat(sample.addresses()).isEqualTo("sample");

        JsonFields whole = SubmitTest.with(request, Map.of("secrets", Json.ofTexts(Map.of("TOKEN", "s3cr3tXYZ"))));
        String job = Served.json(served.post("/v1/jobs", whole.toString())).text("id");
        JsonFields started = served.await(
                job,
                document -> document.list("processes", each -> each).stream()
                                .filter(each -> each.optionalInteger("pid").isPresent())
                                .count()
                        == 2);
        HttpResponse<String> real = served.get("/v1/jobs/" + job + "/plan");
        assertThat(OPEN_API.problems("GET", "/jobs/{job}/plan", 200, "application/json", real.body()))
                .isEmpty();
        PlanDocument launched = PlanDocument.of(Served.json(real));
        assertThat(launched.addresses()).isEqualTo("real");
        assertThat(real.body()).doesNotContain("s3cr3tXYZ");

        for (JsonFields process : started.list("processes", each -> each)) {
            PlannedProcess shown = launched.processes().stream()
                    .filter(each -> each.name().equals(process.text("name")))
                    .findFirst()
                    .orElseThrow();
            Path proc = Path.of("/proc", Long.toString(process.integer("pid")));
            // Until then the program of the pid is the shim's last step before it.
            Served.until(() -> words(proc.resolve("cmdline")).equals(shown.argv()));
            Map<String, String> env = new HashMap<>(shown.env());
            assertThat(env.put("TOKEN", "s3cr3tXYZ")).isEqualTo(PlannedProcess.SECRET);
            assertThat(environ(proc)).isEqualTo(new TreeMap<>(env));
        }
        assertThat(addressless(sample)).isEqualTo(addressless(launched));
        served.post("/v1/jobs/" + job + "/cancel", "");
        served.await(job, "Cancelled");
    }

    private static Map<String, String> environ(Path proc) throws Exception {
        Map<String, String> env = new TreeMap<>();
        words(proc.resolve("environ")).forEach(word -> {
            int equals = word.indexOf('=');
            env.put(word.substring(0, equals), word.substring(equals + 1));
        });
        return env;
    }

    private static List<String> words(Path file) throws Exception {
        String text = Files.readString(file, StandardCharsets.UTF_8);
        return List.of(text.substring(0, text.length() - 1).split("\0", -1));
    }

    private static List<PlannedProcess> addressless(PlanDocument plan) {
        return plan.processes().stream()
                .map(process -> {
                    Map<String, String> env = new TreeMap<>(process.env());
                    env.remove("MASTER_PORT");
                    return new PlannedProcess(
                            process.name(),
                            process.role(),
                            process.index(),
                            process.rank(),
                            process.localRank(),
                            process.argv(),
                            env,
                            process.files());
                })
                .toList();
    }

    @Test
    void aPlanStoresNothingAndTellsWhatIsWrong() {
        assertProblem(served.post("/v1/plans", Served.jobRequest("{}").toString()), ProblemType.INVALID);
        String needy = "{\"name\":\"needy\",\"framework\":\"plain\",\"command\":[\"true\"],\"code\":\"src\","
                + "\"environment\":{\"python\":{\"requirements\":\"r.txt\"}}}";
        HttpResponse<String> answer =
                served.post("/v1/plans", Served.jobRequest(needy).toString());
        assertProblem(answer, ProblemType.NEEDS);
        assertThat(SubmitTest.problem(answer).needs().orElseThrow().requirements())
                .containsExactly("r.txt");
        assertThat(SubmitTest.problem(answer).needs().orElseThrow().code()).isEmpty();
        assertProblem(served.get("/v1/jobs/needy"), ProblemType.NOT_FOUND);
    }

    @Test
    void aPlanIsShownBeforeTheScriptIsWritten() {
        String text = "{\"name\":\"early\",\"framework\":\"pytorch\",\"command\":[\"python\",\"train.py\"]}";
        HttpResponse<String> answer =
                served.post("/v1/plans", Served.jobRequest(text).toString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).contains("train.py");
    }

    @Test
    void aRegisteredModelIsListedAndGivenOut() throws Exception {
        String text =
                "{\"name\":\"trainer\",\"framework\":\"plain\",\"model\":{\"name\":\"cnn\"},\"command\":[\"sh\",\"-c\","
                        + "\"mkdir $MUSTER_MODEL_DIR/v && echo weights > $MUSTER_MODEL_DIR/v/w.bin\"]}";
        String job = served.submit(text);
        JsonFields document = served.await(job, "Succeeded");
        assertThat(document.object("model").text("name")).isEqualTo("cnn");
        assertThat(OPEN_API.problems("JobDocument", document)).isEmpty();
        assertThat(served.get("/v1/models?limit=1").body()).contains("\"next\":");
        assertThat(served.get("/v1/models?before=cnn@1").statusCode()).isEqualTo(200);
        assertProblem(served.get("/v1/models?before=cnn@77"), ProblemType.INVALID);
        HttpResponse<String> list = served.get("/v1/models/cnn");
        assertThat(OPEN_API.problems("GET", "/models/{name}", 200, "application/json", list.body()))
                .isEmpty();
        assertThat(Served.json(list).list("items", each -> each.text("digest")))
                .containsExactly(document.object("model").text("digest"));

        HttpResponse<byte[]> tar =
                served.send(served.request("/v1/models/cnn/versions/latest/files"), BodyHandlers.ofByteArray());
        assertThat(tar.headers().firstValue("Muster-Model-Version")).contains("1");
        Path to = Files.createDirectories(folder.resolve("model"));
        Process unpack = new ProcessBuilder("tar", "-x", "-C", to.toString()).start();
        try (var in = unpack.getOutputStream()) {
            new ByteArrayInputStream(tar.body()).transferTo(in);
        }
        assertThat(unpack.waitFor()).isZero();
        assertThat(Files.readString(to.resolve("v/w.bin"))).isEqualTo("weights\n");
        assertProblem(served.get("/v1/models/cnn/versions/2/files"), ProblemType.NOT_FOUND);
        assertProblem(served.get("/v1/models/cnn/versions/x/files"), ProblemType.NOT_FOUND);
        assertThat(served.get("/v1/models/cnn/versions/2/files").body())
                .contains("it has 1.")
                .doesNotContain("GET /v1");
    }

    @Test
    void b59_aFileWhoseNameIsNotUtf8IsNotGivenOutUnderAnother() {
        String command = "printf y > \\\"$MUSTER_MODEL_DIR/$(printf '\\\\377')\\\"";
        String job = served.submit("{\"name\":\"odd\",\"framework\":\"plain\",\"model\":{\"name\":\"odd\"},"
                + "\"command\":[\"sh\",\"-c\",\"" + command + "\"]}");
        served.await(job, "Succeeded");
        HttpResponse<String> answer = served.get("/v1/models/odd/versions/1/files");
        assertProblem(answer, ProblemType.STATE);
        assertThat(answer.body()).contains("not UTF-8").contains("copy the files from");
    }
}
