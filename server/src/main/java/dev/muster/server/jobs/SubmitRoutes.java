package dev.muster.server.jobs;

import dev.muster.api.JobRequest;
import dev.muster.api.ProblemType;
import dev.muster.api.ResumeRequest;
import dev.muster.api.Submitted;
import dev.muster.control.Jobs;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobSpec;
import dev.muster.server.access.Caller;
import dev.muster.server.access.Scope;
import dev.muster.server.http.Bodies;
import dev.muster.server.http.Exchange;
import dev.muster.server.http.PathVariables;
import dev.muster.server.http.ProblemException;
import dev.muster.server.http.Route;
import dev.muster.spi.JobStore;
import dev.muster.spi.JobStore.SpecCodec;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** Where job text comes in: submission, plans, and changes of a suspended job. */
final class SubmitRoutes {
    private static final int LONGEST_KEY = 200;

    /** Reading job texts takes processor time: as many at once as there are processors, so that other requests are answered beside them. */
    private final Semaphore reading = new Semaphore(Runtime.getRuntime().availableProcessors(), true);

    private final Jobs jobs;
    private final JobStore store;
    private final SpecCodec codec;
    private final Submissions submissions;
    private final Plans plans;
    private final JobReferences references;
    private final JobDocuments documents;

    SubmitRoutes(
            Jobs jobs,
            JobStore store,
            SpecCodec codec,
            Submissions submissions,
            Plans plans,
            JobReferences references,
            JobDocuments documents) {
        this.jobs = jobs;
        this.store = store;
        this.codec = codec;
        this.submissions = submissions;
        this.plans = plans;
        this.references = references;
        this.documents = documents;
    }

    List<Route> routes() {
        return List.of(
                new Route("POST", "/v1/jobs", Scope.SUBMIT, this::submit),
                new Route("POST", "/v1/plans", Scope.SUBMIT, this::plan),
                new Route("GET", "/v1/jobs/{job}/plan", Scope.READ, this::planOf),
                new Route("POST", "/v1/jobs/{job}/resume", Scope.SUBMIT, this::resume));
    }

    private void submit(Exchange exchange, PathVariables variables) throws IOException {
        JobRequest request = Bodies.read(exchange, JobRequest::of);
        Optional<String> key = key(exchange, request);
        Submissions.Ready ready = ready(request, exchange.caller());
        switch (jobs.accept(ready.spec(), ready.origin(), ready.secrets(), key)) {
            case Jobs.Submission.Accepted accepted -> submitted(exchange, 201, accepted.id());
            case Jobs.Submission.Same same -> submitted(exchange, 200, same.id());
            case Jobs.Submission.Refused refused ->
                throw ProblemException.invalid(JobRoutes.fields(refused.problems()));
            case Jobs.Submission.NameTaken taken ->
                throw new ProblemException(
                        ProblemType.NAME_TAKEN,
                        "Job " + taken.by() + " with the name " + ready.spec().name()
                                + " has not ended; cancel it, wait for it, or choose another name.");
        }
    }

    private Submissions.Ready ready(JobRequest request, Caller caller) {
        reading.acquireUninterruptibly();
        try {
            return submissions.toAccept(request, caller);
        } finally {
            reading.release();
        }
    }

    private static void submitted(Exchange exchange, int status, JobId job) {
        exchange.note().subject(job.value());
        exchange.send(status, new Submitted(job.value()));
    }

    private static Optional<String> key(Exchange exchange, JobRequest request) {
        Optional<String> header = exchange.header("Idempotency-Key");
        if (header.isPresent() && request.key().isPresent() && !header.equals(request.key())) {
            throw ProblemException.invalid("key", "key and the header Idempotency-Key say different things");
        }
        Optional<String> key = header.or(request::key);
        if (key.filter(text -> text.isBlank() || text.length() > LONGEST_KEY).isPresent()) {
            throw ProblemException.invalid("key", "an idempotency key has 1 to " + LONGEST_KEY + " characters");
        }
        return key;
    }

    private void plan(Exchange exchange, PathVariables variables) throws IOException {
        Submissions.Ready ready = submissions.toPlan(Bodies.read(exchange, JobRequest::of), exchange.caller());
        exchange.send(200, plans.sample(ready.spec(), ready.origin()));
    }

    private void planOf(Exchange exchange, PathVariables variables) {
        exchange.send(200, plans.of(record(references.find(exchange, variables))));
    }

    private void resume(Exchange exchange, PathVariables variables) throws IOException {
        JobId job = references.find(exchange, variables);
        ResumeRequest request = Bodies.readOptional(exchange, ResumeRequest::of);
        Optional<JobSpec> changed =
                request.sets().isEmpty() ? Optional.empty() : Optional.of(changed(record(job), request.sets()));
        JobRoutes.require(job, jobs.resume(job, changed), "resumed");
        exchange.send(200, jobs.get(job).map(documents::of).orElseThrow(() -> JobReferences.notFound(job.value())));
    }

    private JobSpec changed(JobRecord job, List<String> sets) {
        return submissions.changed(codec.write(job.spec()), sets, job.origin());
    }

    private JobRecord record(JobId job) {
        return store.find(job).orElseThrow(() -> JobReferences.notFound(job.value()));
    }
}
