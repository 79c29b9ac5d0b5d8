package dev.muster.cli.client;

import dev.muster.api.JobDocument;
import dev.muster.api.JobRequest;
import dev.muster.api.ProblemDocument;
import dev.muster.api.ProblemType;
import dev.muster.api.ResumeRequest;
import dev.muster.api.ScaleRequest;
import dev.muster.api.StopRequest;
import dev.muster.cli.base.Failure;
import dev.muster.formats.json.JsonFields;
import java.time.Duration;
import java.util.Optional;

/** The requests of {@code openapi.yaml}. Answers are JSON as the service gave it, to be read by the documents of the api module. */
public final class Api {
    private static final String MODEL = "model is called";
    private static final String LINES = "application/x-ndjson";

    private final Client client;

    public Api(Client client) {
        this.client = client;
    }

    public ServiceTime time() {
        return client.time();
    }

    /** May be called again with the same key. */
    public JsonFields submit(JobRequest request) {
        return client.json(Request.post("/jobs", request)
                .again("'muster list' shows whether the job is there; hand it in again only if it is not"));
    }

    public JsonFields plan(JobRequest request) {
        return client.json(Request.post("/plans", request).again());
    }

    public JsonFields export(JobRequest request, String as) {
        return client.json(
                Request.post("/exports" + new Query().put("as", as), request).again());
    }

    public JsonFields storeCode(Request.Body archive) {
        return client.json(Request.put("/code", archive).patient());
    }

    public JsonFields jobs(Query query) {
        return client.json(Request.get("/jobs" + query));
    }

    public JsonFields job(String job) {
        return client.json(Request.get(path(job)));
    }

    public JobDocument jobDocument(String job) {
        return JobDocument.of(job(job));
    }

    public JsonFields cancel(String job) {
        return client.json(Request.post(path(job) + "/cancel").again(seen(job)));
    }

    public JsonFields suspend(String job) {
        return client.json(Request.post(path(job) + "/suspend"));
    }

    public JsonFields resume(String job, ResumeRequest request) {
        return client.json(Request.post(path(job) + "/resume", request));
    }

    public JsonFields scale(String job, ScaleRequest request) {
        return client.json(Request.post(path(job) + "/scale", request).again(seen(job)));
    }

    /** With {@code cancel} a live job is cancelled first; then it takes as long as that. */
    public void delete(String job, boolean cancel) {
        client.send(Request.delete(path(job) + (cancel ? "?cancel=true" : "")).patient());
    }

    public JsonFields metrics(String job, Query query) {
        return client.json(Request.get(path(job) + "/metrics" + query));
    }

    public JsonFields checkpoints(String job) {
        return client.json(Request.get(path(job) + "/checkpoints"));
    }

    public JsonFields evidence(String job) {
        return client.json(Request.get(path(job) + "/evidence"));
    }

    public JsonFields models(Optional<String> name) {
        return client.json(Request.get("/models" + (name.isPresent() ? "/" + segment(name.get(), MODEL) : "")));
    }

    /** The files as a tar archive; header Muster-Model-Version has the version. */
    public Answer modelFiles(String name, String version) {
        String path = "/models/" + segment(name, MODEL) + "/versions/"
                + segment(version, "version of " + name + " is called") + "/files";
        return client.open(Request.stream(path, "application/x-tar", Duration.ofMinutes(5)));
    }

    public JsonFields queues() {
        return client.json(Request.get("/queues"));
    }

    public JsonFields audit(Query query) {
        return client.json(Request.get("/audit" + query));
    }

    public JsonFields service() {
        return client.json(Request.get("/service"));
    }

    /** With {@code cancel} it answers when every job is over. */
    public JsonFields stopService(boolean cancel, Duration silence) {
        Request request = Request.post("/service/stop", new StopRequest(cancel));
        return client.json(cancel ? request.patient() : request.within(silence));
    }

    /** The job document now and whenever it changes, a line each. */
    public Answer watch(String job, Duration silence) {
        return client.open(Request.stream(path(job) + "/watch", LINES, silence));
    }

    /** Events after a number, a line each. */
    public Answer events(String job, Query query, Duration silence) {
        return client.open(Request.stream(path(job) + "/events" + query, LINES, silence));
    }

    public Answer logs(String job, Query query, boolean raw, Duration silence) {
        String accept = raw ? "application/octet-stream" : "text/plain";
        return client.open(Request.stream(path(job) + "/logs" + query, accept, silence));
    }

    private static String seen(String job) {
        return "'muster get " + job + "' shows it";
    }

    private static String path(String job) {
        return "/jobs/" + segment(job, "job has the id or the name");
    }

    /** One segment of a path. What cannot be one names nothing: a slash, or dots that would mean another resource. */
    private static String segment(String name, String nothing) {
        if (name.isEmpty() || name.indexOf('/') >= 0 || name.equals(".") || name.equals("..")) {
            throw Failure.of(ProblemDocument.of(ProblemType.NOT_FOUND, "No " + nothing + " '" + name + "'."));
        }
        return Query.encode(name);
    }
}
