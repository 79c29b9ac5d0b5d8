package dev.muster.server;

import static dev.muster.server.AccessTest.assertProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.api.EventDocument;
import dev.muster.api.FieldProblem;
import dev.muster.api.JobPage;
import dev.muster.api.MetricDocument;
import dev.muster.api.ProblemDocument;
import dev.muster.api.ProblemType;
import dev.muster.formats.json.Json;
import dev.muster.formats.json.JsonFields;
import dev.muster.model.JobId;
import dev.muster.spi.JobFolders;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobsTest {
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
    void a05_aJobShowsStateReasonAttemptTimesAndExitCodes() {
        String job = served.submit(Served.shell("bad", "exit 3"));
        JsonFields document = served.await(job, "Failed");
        assertThat(OPEN_API.problems("JobDocument", document)).isEmpty();
        assertThat(document.text("cause")).isEqualTo("UserError");
        assertThat(document.text("reason")).startsWith("UserError: ");
        assertThat(document.integer("attempt")).isEqualTo(1);
        assertThat(document.time("submittedAt")).isBefore(document.time("startedAt"));
        assertThat(document.time("startedAt")).isBefore(document.time("finishedAt"));
        JsonFields process = document.list("processes", each -> each).getFirst();
        assertThat(process.text("name")).isEqualTo("worker-0");
        assertThat(process.integer("exitCode")).isEqualTo(3);
        assertThat(process.integer("rank")).isEqualTo(0);
        assertThat(document.object("spec").text("name")).isEqualTo("bad");
    }

    /** As where somebody changed the database by hand. */
    @Test
    void a16_aJobWhoseRowIsBrokenIsToldAndCanBeRemoved() throws Exception {
        String job = served.submit(Served.shell("broken-row", "exec sleep 600"));
        long pid = served.await(job, "Running")
                .list("processes", each -> each)
                .getFirst()
                .integer("pid");
        try (Connection connection =
                        DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("home/store/muster.db"));
                Statement change = connection.createStatement()) {
            change.execute("update job set state = 'Nonsense' where id = '" + job + "'");
        }
        for (HttpResponse<String> answer : List.of(
                served.get("/v1/jobs/" + job),
                served.get("/v1/jobs/broken-row"),
                served.post("/v1/jobs/" + job + "/cancel", ""),
                served.post("/v1/jobs/" + job + "/suspend", ""))) {
            assertProblem(answer, ProblemType.STATE);
            assertThat(answer.body()).contains("muster delete " + job + " --cancel", "Nonsense");
        }
        JobPage page = JobPage.of(Served.json(served.get("/v1/jobs?name=broken-row")));
        assertThat(page.items()).isEmpty();
        assertThat(page.unreadable()).singleElement().satisfies(each -> {
            assertThat(each.id()).isEqualTo(job);
            assertThat(each.reason()).contains("Nonsense");
        });
        HttpResponse<String> removed =
                served.send(served.request("/v1/jobs/broken-row?cancel=true").DELETE());
        assertThat(removed.statusCode()).isEqualTo(204);
        assertThat(served.get("/v1/jobs/" + job).statusCode()).isEqualTo(404);
        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
        served.await(served.submit(Served.shell("broken-row", "exit 0")), "Succeeded");
    }

    @Test
    void everyWrongParameterAndFieldIsToldAtOnce() {
        HttpResponse<String> query = served.get("/v1/jobs?limit=0&state=Runing&since=soon&before=!");
        assertThat(ProblemDocument.of(Served.json(query)).problems())
                .extracting(FieldProblem::field)
                .containsExactlyInAnyOrder("limit", "state", "since", "before");
        HttpResponse<String> body = served.post("/v1/jobs", "{\"txt\":\"\",\"foldr\":\"\"}");
        assertThat(ProblemDocument.of(Served.json(body)).problems())
                .extracting(FieldProblem::field)
                .containsExactlyInAnyOrder("txt", "foldr");
    }

    @Test
    void a05_aQueuedJobShowsItsPlace() {
        String first = served.submit(wide("wide-1"));
        served.await(first, "Running");
        String second = served.submit(wide("wide-2"));
        String third = served.submit(wide("wide-3"));
        assertThat(served.await(third, each -> !(each.get("queuePosition") instanceof Json.Null))
                        .integer("queuePosition"))
                .isEqualTo(2);
        try (Stream<String> watched = lines("/v1/jobs/" + third + "/watch")) {
            served.post("/v1/jobs/" + second + "/cancel", "");
            assertThat(watched.filter(line -> line.contains("\"queuePosition\":1"))
                            .findFirst())
                    .isPresent();
        }
        Stream.of(third, first).forEach(each -> {
            served.post("/v1/jobs/" + each + "/cancel", "");
            served.await(each, "Cancelled");
        });
    }

    private static String wide(String name) {
        return "{\"name\":\"" + name
                + "\",\"framework\":\"plain\",\"grace\":\"1s\",\"workers\":5,\"command\":[\"sleep\",\"600\"]}";
    }

    @Test
    void a06_a07_followedEventsAreTheWholeHistoryInOrderAndEndWithTheJob() {
        String job = served.submit(Served.shell("story", "sleep 0.3"));
        List<EventDocument> events;
        try (Stream<String> lines = lines("/v1/jobs/story/events?follow=true")) {
            events = lines.filter(line -> !line.isBlank())
                    .map(line -> EventDocument.of((JsonFields) Json.parse(line)))
                    .toList();
        }
        List<String> states = new ArrayList<>();
        long last = 0;
        for (EventDocument event : events) {
            assertThat(event.seq()).isGreaterThan(last);
            last = event.seq();
            if (event.kind().equals("job")) {
                assertThat(event.from().orElse("")).isEqualTo(states.isEmpty() ? "" : states.getLast());
                states.add(event.to());
            }
        }
        assertThat(states).startsWith("Queued", "Admitted", "Starting").endsWith("Succeeded");
        HttpResponse<String> page = served.get("/v1/jobs/" + job + "/events");
        assertThat(OPEN_API.problems("GET", "/jobs/{job}/events", 200, "application/json", page.body()))
                .isEmpty();
        assertThat(Served.json(page).list("items", EventDocument::of)).isEqualTo(events);
    }

    @Test
    void eventsComeInPagesAndAsServerSentEvents() {
        String job = served.submit(Served.shell("paged", "true"));
        served.await(job, "Succeeded");
        JsonFields first = Served.json(served.get("/v1/jobs/paged/events?limit=2"));
        assertThat(first.list("items", each -> each)).hasSize(2);
        JsonFields rest = Served.json(served.get("/v1/jobs/paged/events?after=" + first.text("next")));
        assertThat(rest.get("next")).isEqualTo(Json.NULL);
        int all = Served.json(served.get("/v1/jobs/paged/events"))
                .list("items", each -> each)
                .size();
        assertThat(rest.list("items", each -> each)).hasSize(all - 2);

        HttpResponse<String> sent = served.send(served.request("/v1/jobs/paged/events")
                .header("Accept", "text/event-stream")
                .header("Last-Event-ID", first.text("next")));
        assertThat(sent.headers().firstValue("Content-Type")).contains("text/event-stream");
        assertThat(sent.body().split("\n\n")).hasSize(all - 2);
        assertThat(sent.body()).startsWith("id: ").contains("\ndata: {\"seq\":");
    }

    @Test
    void a07_watchShowsEachChangeAndItsLastLineIsTheFinalDocument() throws IOException {
        // It goes on once it was seen to run.
        String job = served.submit(
                Served.shell("watched", "while [ ! -e \"$MUSTER_CONTROL_DIR/seen\" ]; do sleep 0.05; done"));
        Path seen = new JobFolders(served.home.folder()).control(new JobId(job)).resolve("seen");
        List<String> lines = new ArrayList<>();
        try (Stream<String> watched = lines("/v1/jobs/watched/watch")) {
            for (String line : (Iterable<String>) watched.filter(each -> !each.isBlank())::iterator) {
                lines.add(line);
                if (line.contains("\"state\":\"Running\"") && !Files.exists(seen)) {
                    Files.createFile(seen);
                }
            }
        }
        assertThat(lines).doesNotHaveDuplicates();
        assertThat(lines.stream().flatMap(line -> OPEN_API.problems("JobDocument", Json.parse(line)).stream()))
                .isEmpty();
        assertThat(lines.stream().map(line -> ((JsonFields) Json.parse(line)).text("state")))
                .contains("Running");
        assertThat(lines.getLast()).isEqualTo(served.get("/v1/jobs/" + job).body());
        assertThat(((JsonFields) Json.parse(lines.getLast())).text("state")).isEqualTo("Succeeded");
    }

    @Test
    void aWatcherIsNotToldTheSameTwice() throws Exception {
        String job =
                served.submit("{\"name\":\"still\",\"framework\":\"plain\",\"suspended\":true,\"command\":[\"true\"]}");
        HttpResponse<InputStream> answer =
                served.send(served.request("/v1/jobs/still/watch"), BodyHandlers.ofInputStream());
        for (int nothing = 0; nothing < 5; nothing++) {
            served.parts.changes().changed(new JobId(job));
            Thread.sleep(120);
        }
        served.post("/v1/jobs/still/cancel", "");
        assertThat(new String(answer.body().readAllBytes(), StandardCharsets.UTF_8).lines())
                .hasSize(2);
    }

    @Test
    void a07_jobsAreListedFilteredAndPaged() {
        List<String> jobs = Stream.of("list-1", "list-2", "list-3")
                .map(name -> served.submit(Served.shell(name, "exit " + (name.equals("list-2") ? 1 : 0))))
                .toList();
        served.await(jobs.get(0), "Succeeded");
        served.await(jobs.get(1), "Failed");
        served.await(jobs.get(2), "Succeeded");
        HttpResponse<String> all = served.get("/v1/jobs?limit=1000");
        assertThat(OPEN_API.problems("GET", "/jobs", 200, "application/json", all.body()))
                .isEmpty();
        assertThat(ids(all.body())).containsSubsequence(jobs.reversed());
        // What a list shows of a job is what get shows.
        assertThat(all.body()).contains(served.get("/v1/jobs/" + jobs.get(1)).body());
        assertThat(ids(served.get("/v1/jobs?name=list-2&state=failed").body())).containsExactly(jobs.get(1));
        assertThat(ids(served.get("/v1/jobs?name=list-2&state=Running,Queued").body()))
                .isEmpty();

        List<String> paged = new ArrayList<>();
        String next = "";
        do {
            JsonFields page = Served.json(served.get("/v1/jobs?limit=2" + next));
            paged.addAll(page.list("items", item -> item.text("id")));
            next = page.optionalText("next").map(before -> "&before=" + before).orElse("");
        } while (!next.isEmpty());
        assertThat(paged).isEqualTo(ids(all.body()));
        assertThat(ids(served.get("/v1/jobs?limit=1&before=" + jobs.get(1)).body()))
                .containsExactly(jobs.get(0));
        assertThat(served.get("/v1/jobs?before=zzzz").body())
                .contains("\"field\":\"before\"")
                .contains("of the page before, or the id of a job that is there");
    }

    /** A time that is left is told while the job runs, and not of one that stands still. */
    @Test
    void onlyAJobThatRunsHasTimeLeft() throws InterruptedException {
        String job = served.submit(Served.shell(
                "left",
                "i=0; while :; do i=$((i+1)); echo '::muster::{\"step\":'$i',\"total\":100000}'; sleep 0.1; done"));
        served.await(job, "Running");
        long start = System.nanoTime();
        while (timeLeft(job).isEmpty()) {
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(120));
            Thread.sleep(50);
        }
        served.post("/v1/jobs/" + job + "/suspend", "");
        served.await(job, "Suspended");
        assertThat(timeLeft(job)).isEmpty();
        assertThat(Served.json(served.get("/v1/jobs/" + job)).object("progress").integer("step"))
                .isPositive();
        served.send(served.request("/v1/jobs/" + job + "?cancel=true").DELETE());
    }

    private static OptionalDouble timeLeft(String job) {
        return Served.json(served.get("/v1/jobs/" + job)).object("progress").optionalNumber("etaSeconds");
    }

    @Test
    void reportsOfTheChiefAreTheProgressAndTheMetrics() {
        String job = served.submit(Served.shell(
                "reporting",
                "echo '::muster::{\"step\":7,\"total\":10,\"metrics\":{\"loss\":0.25,\"acc\":1.2e-3}}'; sleep 1.5"));
        JsonFields document = served.await(job, "Succeeded");
        assertThat(document.object("progress").integer("step")).isEqualTo(7);
        assertThat(document.object("progress").integer("total")).isEqualTo(10);
        assertThat(document.object("progress").object("metrics").number("acc")).isEqualTo(0.0012);
        HttpResponse<String> metrics = served.get("/v1/jobs/" + job + "/metrics?metric=loss");
        assertThat(OPEN_API.problems("GET", "/jobs/{job}/metrics", 200, "application/json", metrics.body()))
                .isEmpty();
        JsonFields first = Served.json(served.get("/v1/jobs/" + job + "/metrics?limit=1"));
        assertThat(first.list("items", MetricDocument::of)).hasSize(1);
        JsonFields second = Served.json(served.get("/v1/jobs/" + job + "/metrics?limit=1&after=" + first.text("next")));
        assertThat(second.list("items", MetricDocument::of))
                .hasSize(1)
                .doesNotContainAnyElementsOf(first.list("items", MetricDocument::of));
        assertThat(second.optionalText("next")).isEmpty();
        assertThat(Served.json(metrics).list("items", MetricDocument::of))
                .singleElement()
                .satisfies(point -> assertThat(point.value()).isEqualTo(0.25))
                .satisfies(point -> assertThat(point.step()).isEqualTo(7));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "limit=0",
                "limit=x",
                "limit=1001",
                "state=Sleeping",
                "before=!",
                "before=zzzz",
                "before=99999999999999999999"
            })
    void aWrongQueryIsTold(String query) {
        assertProblem(served.get("/v1/jobs?" + query), ProblemType.INVALID);
    }

    @Test
    void a08_cancelStopsARunningJobAndTwiceIsOnce() {
        String job = served.submit(Served.shell("stopme", "exec sleep 600"));
        served.await(job, "Running");
        HttpResponse<String> answer = served.post("/v1/jobs/stopme/cancel", "");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(OPEN_API.problems("JobDocument", Served.json(answer))).isEmpty();
        assertThat(Served.json(answer).text("state")).isIn("Stopping", "Cancelled");
        JsonFields end = served.await(job, "Cancelled");
        assertThat(served.post("/v1/jobs/stopme/cancel", "").statusCode()).isEqualTo(200);
        assertThat(Served.json(served.get("/v1/jobs/" + job))).isEqualTo(end);
    }

    @Test
    void aSuspendedJobIsResumedWithAChangedTextOrRefusedAndStays() {
        String job =
                served.submit("{\"name\":\"later\",\"framework\":\"plain\",\"suspended\":true,\"command\":[\"true\"]}");
        assertThat(Served.json(served.get("/v1/jobs/" + job)).text("state")).isEqualTo("Suspended");
        HttpResponse<String> wrong = served.post("/v1/jobs/later/resume", "{\"sets\":[\"restart.max=-1\",\"nmae=x\"]}");
        assertProblem(wrong, ProblemType.INVALID);
        assertThat(SubmitTest.problem(wrong).problems()).hasSize(2);
        assertThat(Served.json(served.get("/v1/jobs/" + job)).text("state")).isEqualTo("Suspended");
        HttpResponse<String> right = served.post("/v1/jobs/later/resume", "{\"sets\":[\"restart.max=2\"]}");
        assertThat(right.statusCode()).as(right.body()).isEqualTo(200);
        JsonFields end = served.await(job, "Succeeded");
        assertThat(end.object("spec").object("restart").integer("max")).isEqualTo(2);
        assertProblem(served.post("/v1/jobs/later/resume", ""), ProblemType.STATE);
    }

    @Test
    void scalingAJobThatIsNotElasticIsRefused() {
        String job = served.submit(Served.shell("fixed", "true"));
        assertProblem(
                served.post("/v1/jobs/" + job + "/scale", "{\"role\":\"worker\",\"count\":2}"), ProblemType.STATE);
    }

    @Test
    void aLiveJobIsDeletedOnlyWhenAskedToCancel() {
        String job = served.submit(Served.shell("gone", "exec sleep 600"));
        served.await(job, "Running");
        assertProblem(served.send(served.request("/v1/jobs/gone").DELETE()), ProblemType.STATE);
        assertThat(served.send(served.request("/v1/jobs/gone?cancel=true").DELETE())
                        .statusCode())
                .isEqualTo(204);
        assertProblem(served.get("/v1/jobs/" + job), ProblemType.NOT_FOUND);
        assertProblem(served.get("/v1/jobs/gone"), ProblemType.NOT_FOUND);
    }

    @Test
    void aJobIsFoundByIdUniquePrefixAndName() {
        String older = served.submit(Served.shell("named", "true"));
        served.await(older, "Succeeded");
        String newer = served.submit(Served.shell("named", "true"));
        served.await(newer, "Succeeded");
        assertThat(Served.json(served.get("/v1/jobs/named")).text("id")).isEqualTo(newer);
        assertThat(Served.json(served.get("/v1/jobs/" + older.substring(0, 9))).text("id"))
                .isEqualTo(older);
    }

    @Test
    void aPrefixOfTwoIdsIsAmbiguousAndShowsBoth() {
        // 27 jobs have at least two ids with the same first letter.
        List<String> jobs = new ArrayList<>();
        for (int count = 0; count < 27; count++) {
            jobs.add(served.submit("{\"name\":\"many-" + count
                    + "\",\"framework\":\"plain\",\"suspended\":true,\"command\":[\"true\"]}"));
        }
        String first = jobs.stream()
                .map(id -> id.substring(0, 1))
                .filter(letter ->
                        jobs.stream().filter(id -> id.startsWith(letter)).count() > 1)
                .findFirst()
                .orElseThrow();
        HttpResponse<String> answer = served.get("/v1/jobs/" + first);
        assertProblem(answer, ProblemType.AMBIGUOUS);
        assertThat(SubmitTest.problem(answer).ids()).hasSizeGreaterThan(1).allMatch(id -> id.startsWith(first));
        jobs.forEach(job -> served.post("/v1/jobs/" + job + "/cancel", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/jobs/nosuch",
                "/v1/jobs/nosuch/events?follow=true",
                "/v1/jobs/nosuch/watch",
                "/v1/jobs/nosuch/plan",
                "/v1/jobs/nosuch/metrics",
                "/v1/jobs/nosuch/checkpoints",
                "/v1/jobs/%25",
                "/v1/jobs/no_such",
                "/v1/models/nosuch",
                "/v1/models/nosuch/versions/latest/files"
            })
    void b45_whatIsNotThereIsNotFoundAtOnceAlsoWhenFollowed(String path) {
        assertProblem(served.get(path), ProblemType.NOT_FOUND);
    }

    @Test
    void aNameThatIsNearlyRightIsSuggested() {
        served.submit(Served.shell("suggested", "true"));
        HttpResponse<String> answer = served.get("/v1/jobs/sugested");
        assertProblem(answer, ProblemType.NOT_FOUND);
        assertThat(answer.body()).contains("starts with 'sugested'. Did you mean suggested?");
        assertThat(served.get("/v1/jobs/qqqqqqqq").body()).doesNotContain("Did you mean");
    }

    @Test
    void queuesMetricsAndCheckpointsAreListed() {
        String job = served.submit(Served.shell("series", "true"));
        served.await(job, "Succeeded");
        for (String path : List.of("/queues", "/jobs/{job}/metrics", "/jobs/{job}/checkpoints", "/models")) {
            HttpResponse<String> answer = served.get("/v1" + path.replace("{job}", job));
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(OPEN_API.problems("GET", path, 200, "application/json", answer.body()))
                    .isEmpty();
        }
    }

    @Test
    void aCheckpointOfAnEndedJobIsWholeAtOnce() {
        String job = served.submit(Served.shell(
                "saved", "mkdir $MUSTER_CHECKPOINT_DIR/step-5 && touch $MUSTER_CHECKPOINT_DIR/step-5/_COMPLETE"));
        served.await(job, "Succeeded");
        assertThat(served.get("/v1/jobs/" + job + "/checkpoints").body())
                .contains("\"name\":\"step-5\"")
                .contains("\"whole\":true");
    }

    private static List<String> ids(String page) {
        return ((JsonFields) Json.parse(page)).list("items", item -> item.text("id"));
    }

    private static Stream<String> lines(String path) {
        HttpResponse<Stream<String>> answer =
                served.send(served.request(path).header("Accept", "application/x-ndjson"), BodyHandlers.ofLines());
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer.body();
    }
}
