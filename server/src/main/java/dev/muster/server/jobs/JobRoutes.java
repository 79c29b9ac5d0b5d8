package dev.muster.server.jobs;

import dev.muster.api.FieldProblem;
import dev.muster.api.JobPage;
import dev.muster.api.ProblemType;
import dev.muster.api.ScaleRequest;
import dev.muster.api.UnreadableDocument;
import dev.muster.control.Jobs;
import dev.muster.control.Jobs.Result;
import dev.muster.model.JobId;
import dev.muster.model.JobState;
import dev.muster.model.Nearest;
import dev.muster.model.Problem;
import dev.muster.server.access.Scope;
import dev.muster.server.http.Bodies;
import dev.muster.server.http.Exchange;
import dev.muster.server.http.PathVariables;
import dev.muster.server.http.ProblemException;
import dev.muster.server.http.Queries;
import dev.muster.server.http.Route;
import dev.muster.spi.BackendException;
import dev.muster.spi.JobStore;
import dev.muster.spi.JobStore.Cursor;
import dev.muster.spi.Projects;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Showing jobs and telling them what to do. */
final class JobRoutes {
    private static final int PAGE = 50;
    private static final int LARGEST_PAGE = 1000;
    private static final Pattern PLACE = Pattern.compile("[0-9]{1,19}");

    private final Jobs jobs;
    private final JobStore store;
    private final JobDocuments documents;
    private final JobReferences references;
    private final JobEnds ends;

    JobRoutes(Jobs jobs, JobStore store, JobDocuments documents, JobReferences references, JobEnds ends) {
        this.jobs = jobs;
        this.store = store;
        this.documents = documents;
        this.references = references;
        this.ends = ends;
    }

    List<Route> routes() {
        return List.of(
                new Route(
                        "GET",
                        "/v1/jobs",
                        Scope.READ,
                        this::list,
                        "state",
                        "name",
                        "project",
                        "owner",
                        "queue",
                        "since",
                        "limit",
                        "before"),
                new Route("GET", "/v1/jobs/{job}", Scope.READ, this::get),
                new Route("DELETE", "/v1/jobs/{job}", Scope.SUBMIT, this::delete, "cancel"),
                new Route("POST", "/v1/jobs/{job}/cancel", Scope.SUBMIT, this::cancel),
                new Route("POST", "/v1/jobs/{job}/suspend", Scope.SUBMIT, this::suspend),
                new Route("POST", "/v1/jobs/{job}/scale", Scope.SUBMIT, this::scale));
    }

    private void list(Exchange exchange, PathVariables variables) {
        Projects seen = exchange.caller().projects();
        JobStore.Listing found =
                store.list(Queries.read(exchange, query -> asked(query, seen)).within(seen));
        exchange.send(
                200,
                new JobPage(
                        found.jobs().stream().map(jobs::view).map(documents::of).toList(),
                        found.unreadable().stream()
                                .map(each -> new UnreadableDocument(each.id().value(), each.reason()))
                                .toList(),
                        found.next().map(next -> Long.toString(next.place()))));
    }

    private JobStore.Query asked(Queries query, Projects seen) {
        return new JobStore.Query(
                states(query),
                query.text("name"),
                query.text("project").map(Projects::of).orElse(Projects.ALL),
                query.text("owner"),
                query.text("queue"),
                query.time("since"),
                query.text("before").flatMap(text -> cursor(query, text, seen)),
                query.number("limit", 1, LARGEST_PAGE, PAGE));
    }

    private static Set<JobState> states(Queries query) {
        Set<JobState> states = EnumSet.noneOf(JobState.class);
        for (String name : query.text("state").orElse("").split(",")) {
            if (!name.isEmpty()) {
                Arrays.stream(JobState.values())
                        .filter(state -> state.text().equalsIgnoreCase(name))
                        .findFirst()
                        .ifPresentOrElse(states::add, () -> noState(query, name));
            }
        }
        return states;
    }

    private static void noState(Queries query, String name) {
        List<String> known =
                Arrays.stream(JobState.values()).map(JobState::text).toList();
        query.wrong(
                "state", "'" + name + "' is no state; there are " + String.join(", ", known), Nearest.to(name, known));
    }

    /** What {@code next} gave, a number; or the id of a job, which begins with a letter. */
    private Optional<Cursor> cursor(Queries query, String text, Projects seen) {
        Optional<Cursor> cursor = Optional.empty();
        try {
            cursor = PLACE.matcher(text).matches()
                    ? Optional.of(new Cursor(Long.parseLong(text)))
                    : store.cursor(new JobId(text), seen);
        } catch (IllegalArgumentException neither) {
            // told below, together with a job that is not there
        }
        if (cursor.isEmpty()) {
            query.wrong(
                    "before",
                    "before must be `next` of the page before, or the id of a job that is there, not '" + text + "'",
                    Optional.empty());
        }
        return cursor;
    }

    private void get(Exchange exchange, PathVariables variables) {
        sendJob(exchange, references.find(exchange, variables));
    }

    private void cancel(Exchange exchange, PathVariables variables) {
        JobId job = references.find(exchange, variables);
        require(job, jobs.cancel(job), "cancelled");
        sendJob(exchange, job);
    }

    private void suspend(Exchange exchange, PathVariables variables) {
        JobId job = references.find(exchange, variables);
        require(job, jobs.suspend(job), "suspended");
        sendJob(exchange, job);
    }

    private void scale(Exchange exchange, PathVariables variables) throws IOException {
        JobId job = references.find(exchange, variables);
        ScaleRequest request = Bodies.read(exchange, ScaleRequest::of);
        require(job, jobs.scale(job, request.role(), request.count()), "scaled");
        sendJob(exchange, job);
    }

    private void delete(Exchange exchange, PathVariables variables) throws IOException {
        JobId job = references.find(exchange, variables);
        if (Queries.read(exchange, query -> query.flag("cancel"))) {
            if (jobs.discardUnreadable(job)) {
                exchange.send(204, Map.of());
                return;
            }
            require(job, jobs.cancel(job), "cancelled");
            ends.await(job);
        }
        try {
            require(job, jobs.delete(job), "deleted");
        } catch (BackendException refused) {
            throw new ProblemException(
                    ProblemType.UNAVAILABLE, "Job " + job + " could not be deleted: " + refused.getMessage());
        }
        exchange.send(204, Map.of());
    }

    private void sendJob(Exchange exchange, JobId job) {
        exchange.send(200, jobs.get(job).map(documents::of).orElseThrow(() -> JobReferences.notFound(job.value())));
    }

    static void require(JobId job, Result result, String done) {
        switch (result) {
            case Result.Done ignored -> {}
            case Result.NotFound ignored -> throw JobReferences.notFound(job.value());
            case Result.Wrong wrong -> throw ProblemException.invalid(fields(wrong.problems()));
            case Result.Refused refused ->
                throw new ProblemException(
                        ProblemType.STATE, "Job " + job + " cannot be " + done + ": " + refused.reason() + ".");
        }
    }

    /** @throws ProblemException where another replica of the service has the files of the job, and this one none */
    static void requireFiles(JobId job, Jobs jobs) {
        require(job, jobs.files(job), "read here");
    }

    static List<FieldProblem> fields(List<Problem> problems) {
        return problems.stream()
                .map(problem -> new FieldProblem(problem.field(), problem.message(), problem.suggestion()))
                .toList();
    }
}
