package dev.muster.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.formats.json.JsonFields;
import dev.muster.model.Origin;
import dev.muster.server.access.Caller;
import dev.muster.server.access.Callers;
import dev.muster.server.access.Scope;
import dev.muster.spi.Projects;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a token sees and may do. */
class ProjectsTest {
    private static final Map<String, Caller> TOKENS = Map.of(
            "vision", caller("vision", Scope.READ, Scope.SUBMIT),
            "speech", caller("speech", Scope.READ, Scope.SUBMIT),
            "bob", new Caller("bob", "bob", Projects.of("speech"), "speech", Set.of(Scope.READ, Scope.SUBMIT)),
            "reader", caller("vision", Scope.READ),
            "writer", caller("vision", Scope.SUBMIT),
            "admin", new Caller("admin", "ann", Projects.ALL, Origin.DEFAULT_PROJECT, Set.of(Scope.ADMIN)));

    @TempDir
    private static Path folder;

    private static Served served;

    @BeforeAll
    static void start() {
        served = new Served(folder.resolve("home"), Map.of(), new Callers() {
            @Override
            public Optional<Caller> of(String token) {
                return Optional.ofNullable(TOKENS.get(token));
            }

            @Override
            public Set<String> users() {
                return Set.of("ann");
            }

            @Override
            public String hint() {
                return "ask";
            }
        });
    }

    @AfterAll
    static void stop() {
        served.close();
    }

    private static Caller caller(String project, Scope... scopes) {
        return new Caller(project + "-token", "ann", Projects.of(project), project, Set.of(scopes));
    }

    @Test
    void aTokenSeesTheJobsAndModelsOfItsProjectsAndNoOthers() {
        String train = "mkdir -p $MUSTER_MODEL_DIR; echo x > $MUSTER_MODEL_DIR/model";
        String text = Served.shell("apart", train).replace("\"command\"", "\"model\":{\"name\":\"m\"},\"command\"");
        String ours = submit("vision", text, "");
        String theirs = submit("speech", text, "");
        await("vision", ours);
        await("speech", theirs);
        assertThat(Served.json(ask("vision", "GET", "/v1/jobs/apart", "")).text("id"))
                .isEqualTo(ours);
        assertThat(Served.json(ask("speech", "GET", "/v1/jobs/apart", "")).text("id"))
                .isEqualTo(theirs);
        for (String path : List.of("", "/plan", "/events", "/logs", "/metrics", "/checkpoints", "/watch")) {
            assertThat(ask("vision", "GET", "/v1/jobs/" + theirs + path, "").statusCode())
                    .as(path)
                    .isEqualTo(404);
        }
        for (String path : List.of("/cancel", "/suspend", "/resume")) {
            assertThat(ask("vision", "POST", "/v1/jobs/" + theirs + path, "").statusCode())
                    .as(path)
                    .isEqualTo(404);
        }
        assertThat(ask("vision", "DELETE", "/v1/jobs/" + theirs, "").statusCode())
                .isEqualTo(404);
        assertThat(ids("vision", "/v1/jobs")).contains(ours).doesNotContain(theirs);
        assertThat(ids("vision", "/v1/jobs?project=speech")).isEmpty();
        assertThat(ids("admin", "/v1/jobs?project=speech")).contains(theirs).doesNotContain(ours);
        assertThat(ids("admin", "/v1/jobs")).contains(ours, theirs);
        assertThat(ids("admin", "/v1/jobs?owner=bob")).isEmpty();
        assertThat(ids("admin", "/v1/jobs?queue=none")).isEmpty();
        assertThat(ids("admin", "/v1/jobs?since=2199-01-01T00:00:00Z")).isEmpty();
        assertThat(ask("admin", "GET", "/v1/jobs?since=yesterday", "").statusCode())
                .isEqualTo(400);
        List<JsonFields> models =
                Served.json(ask("vision", "GET", "/v1/models", "")).list("items", each -> each);
        assertThat(models).extracting(model -> model.text("job")).containsExactly(ours);
        long version = Served.json(ask("admin", "GET", "/v1/models/m", "")).list("items", each -> each).stream()
                .filter(model -> model.text("job").equals(theirs))
                .findFirst()
                .orElseThrow()
                .integer("version");
        assertThat(ask("vision", "GET", "/v1/models/m/versions/" + version + "/files", "")
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void aJobGoesToTheProjectItNamesIfTheTokenHasIt() {
        assertThat(Served.json(ask(
                                "admin",
                                "GET",
                                "/v1/jobs/" + submit("admin", Served.shell("named", "true"), "speech"),
                                ""))
                        .text("project"))
                .isEqualTo("speech");
        JsonFields request = Served.jobRequest(Served.shell("foreign", "true"));
        String body = request.toString().replaceFirst("}$", ",\"project\":\"speech\"}");
        HttpResponse<String> refused = ask("vision", "POST", "/v1/jobs", body);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("\"field\":\"project\"").contains("it has vision");
        HttpResponse<String> odd = ask("admin", "POST", "/v1/jobs", body.replace("speech", "a b/.."));
        assertThat(odd.statusCode()).isEqualTo(400);
        assertThat(odd.body()).contains("a project is 1 to 64 letters");
    }

    @Test
    void aTokenDoesOnlyWhatItsScopesSay() {
        String job = submit("vision", Served.shell("scopes", "true"), "");
        assertThat(ask("reader", "GET", "/v1/jobs/" + job, "").statusCode()).isEqualTo(200);
        HttpResponse<String> refused = ask("reader", "POST", "/v1/jobs/" + job + "/cancel", "");
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.headers().firstValue("WWW-Authenticate"))
                .contains("Bearer error=\"insufficient_scope\", scope=\"submit\"");
        assertThat(ask("reader", "POST", "/v1/jobs", "{}").statusCode()).isEqualTo(403);
        assertThat(ask("reader", "PUT", "/v1/code", "").statusCode()).isEqualTo(403);
        assertThat(ask("writer", "GET", "/v1/jobs/" + job, "").statusCode()).isEqualTo(403);
        assertThat(ask("vision", "POST", "/v1/service/stop", "").statusCode()).isEqualTo(403);
        HttpResponse<String> nobody = ask("nobody", "GET", "/v1/jobs", "");
        assertThat(nobody.statusCode()).isEqualTo(401);
        assertThat(nobody.headers().firstValue("WWW-Authenticate")).contains("Bearer error=\"invalid_token\"");
    }

    @Test
    void whatIsChangedIsAuditedAndLookingIsNot() throws Exception {
        Path audit = folder.resolve("home/logs/audit.jsonl");
        String withCode = Served.shell("asked", "true").replace("\"command\"", "\"code\":\"src\",\"command\"");
        assertThat(ask("vision", "POST", "/v1/jobs", Served.jobRequest(withCode).toString())
                        .statusCode())
                .isEqualTo(428);
        String job = submit("vision", Served.shell("audited", "true"), "");
        assertThat(Files.readString(audit))
                .as("what was asked for is no refusal")
                .doesNotContain("\"status\":428");
        ask("vision", "GET", "/v1/jobs/" + job, "");
        ask("nobody", "POST", "/v1/jobs/" + job + "/cancel", "");
        ask("reader", "POST", "/v1/jobs/" + job + "/cancel", "");
        assertThat(Files.readAllLines(audit).stream().filter(line -> line.contains(job)))
                .satisfiesExactly(
                        done -> assertThat(done)
                                .contains("\"action\":\"POST /v1/jobs\"", "\"subject\":\"" + job + "\"")
                                .contains("\"token\":\"vision-token\"", "\"outcome\":\"done\""),
                        refused ->
                                assertThat(refused).contains("/v1/jobs/" + job + "/cancel", "\"outcome\":\"refused\""));
    }

    @Test
    void theAuditIsForAdministratorsAndGoesBackPageByPage() {
        String job = submit("vision", Served.shell("noted", "true"), "");
        ask("vision", "POST", "/v1/jobs/" + job + "/cancel", "");
        assertThat(ask("vision", "GET", "/v1/audit", "").statusCode()).isEqualTo(403);
        JsonFields newest = Served.json(ask("admin", "GET", "/v1/audit?limit=1", ""));
        assertThat(newest.list(
                        "items",
                        line -> line.text("user") + " " + line.text("action") + " " + line.text("subject") + " "
                                + line.text("outcome")))
                .containsExactly("ann POST /v1/jobs/{job}/cancel " + job + " done");
        JsonFields older = Served.json(ask("admin", "GET", "/v1/audit?limit=1&before=" + newest.text("next"), ""));
        assertThat(older.list("items", line -> line.text("action") + " " + line.text("subject")))
                .containsExactly("POST /v1/jobs " + job);
        assertThat(ask("admin", "GET", "/v1/audit?before=x", "").statusCode()).isEqualTo(400);
    }

    @Test
    void queuesNameUsersOnlyToWhoMaySeeAJobOfTheirs() {
        String theirs = submit("bob", Served.shell("hidden", "sleep 600"), "");
        try {
            Served.until(() -> ask("admin", "GET", "/v1/queues", "").body().contains("\"bob\""));
            HttpResponse<String> seen = ask("vision", "GET", "/v1/queues", "");
            assertThat(seen.body()).doesNotContain("bob");
            assertThat(Served.json(seen).list("items", queue -> queue.integer("queued") + queue.integer("active")))
                    .first()
                    .satisfies(jobs -> assertThat(jobs).isPositive());
            assertThat(ask("speech", "GET", "/v1/queues", "").body()).contains("\"bob\"");
        } finally {
            ask("admin", "POST", "/v1/jobs/" + theirs + "/cancel", "");
        }
    }

    private static List<String> ids(String token, String path) {
        HttpResponse<String> answer = ask(token, "GET", path, "");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Served.json(answer).list("items", each -> each.text("id"));
    }

    private static void await(String token, String job) {
        Served.until(() -> Served.json(ask(token, "GET", "/v1/jobs/" + job, ""))
                .text("state")
                .equals("Succeeded"));
    }

    private static String submit(String token, String text, String project) {
        String body = Served.jobRequest(text).toString();
        if (!project.isEmpty()) {
            body = body.replaceFirst("}$", ",\"project\":\"" + project + "\"}");
        }
        HttpResponse<String> answer = ask(token, "POST", "/v1/jobs", body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return Served.json(answer).text("id");
    }

    private static HttpResponse<String> ask(String token, String method, String path, String body) {
        return served.send(served.request(path)
                .setHeader("Authorization", "Bearer " + token)
                .method(method, BodyPublishers.ofString(body)));
    }
}
