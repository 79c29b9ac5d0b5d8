package dev.muster.server.service;

import dev.muster.api.ServiceDocument;
import dev.muster.api.StopRequest;
import dev.muster.control.Jobs;
import dev.muster.model.JobRecord;
import dev.muster.server.access.Scope;
import dev.muster.server.http.Bodies;
import dev.muster.server.http.Exchange;
import dev.muster.server.http.PathVariables;
import dev.muster.server.http.Route;
import dev.muster.server.jobs.JobEnds;
import dev.muster.spi.JobStore;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/** What is asked of the service itself. */
final class ServiceRoutes {
    private final Jobs jobs;
    private final JobStore store;
    private final JobEnds ends;
    private final Intake intake;
    private final Supplier<ServiceDocument> document;
    private final Runnable stop;

    /** @param stop has the service stopped; returns at once */
    ServiceRoutes(
            Jobs jobs, JobStore store, JobEnds ends, Intake intake, Supplier<ServiceDocument> document, Runnable stop) {
        this.jobs = jobs;
        this.store = store;
        this.ends = ends;
        this.intake = intake;
        this.document = document;
        this.stop = stop;
    }

    List<Route> routes() {
        return List.of(
                new Route("GET", "/v1/service", Scope.READ, this::service),
                new Route("POST", "/v1/service/stop", Scope.ADMIN, this::stop));
    }

    private void service(Exchange exchange, PathVariables variables) {
        exchange.send(200, document.get());
    }

    private void stop(Exchange exchange, PathVariables variables) throws IOException {
        boolean cancel = Bodies.readOptional(
                exchange,
                body -> !body.values().isEmpty() && StopRequest.of(body).cancel());
        intake.close();
        if (cancel) {
            List<JobRecord> live = store.live();
            live.forEach(job -> jobs.cancel(job.id()));
            for (JobRecord job : live) {
                ends.await(job.id());
            }
        }
        exchange.send(202, document.get());
        stop.run();
    }
}
