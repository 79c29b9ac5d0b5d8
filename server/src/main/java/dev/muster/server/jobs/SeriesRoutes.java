package dev.muster.server.jobs;

import dev.muster.api.CheckpointDocument;
import dev.muster.api.MetricDocument;
import dev.muster.api.Page;
import dev.muster.control.Jobs;
import dev.muster.model.Checkpoint;
import dev.muster.model.JobId;
import dev.muster.server.access.Scope;
import dev.muster.server.http.Exchange;
import dev.muster.server.http.PathVariables;
import dev.muster.server.http.Queries;
import dev.muster.server.http.Route;
import dev.muster.spi.CheckpointCatalogue;
import dev.muster.spi.JobStore;
import dev.muster.spi.JobStore.Point;
import java.util.List;
import java.util.Optional;

/** Metrics and checkpoints of a job. */
final class SeriesRoutes {
    private static final int LARGEST_PAGE = 100_000;

    private final JobStore store;
    private final CheckpointCatalogue checkpoints;
    private final Jobs jobs;
    private final JobReferences references;

    SeriesRoutes(JobStore store, CheckpointCatalogue checkpoints, Jobs jobs, JobReferences references) {
        this.jobs = jobs;
        this.store = store;
        this.checkpoints = checkpoints;
        this.references = references;
    }

    List<Route> routes() {
        return List.of(
                new Route("GET", "/v1/jobs/{job}/metrics", Scope.READ, this::metrics, "metric", "after", "limit"),
                new Route("GET", "/v1/jobs/{job}/checkpoints", Scope.READ, this::checkpoints));
    }

    private record Part(int after, int limit) {}

    private void metrics(Exchange exchange, PathVariables variables) {
        JobId job = references.find(exchange, variables);
        // Points are only ever added, so that their number is a place to go on from.
        Part part = Queries.read(
                exchange,
                query -> new Part(
                        query.number("after", 0, Integer.MAX_VALUE, 0),
                        query.number("limit", 1, LARGEST_PAGE, LARGEST_PAGE)));
        List<Point> all = store.metrics(job, exchange.query("metric"));
        int end = (int) Math.min(all.size(), (long) part.after() + part.limit());
        List<MetricDocument> points = all.subList(Math.min(part.after(), end), end).stream()
                .map(point -> new MetricDocument(point.at(), point.step(), point.metric(), point.value()))
                .toList();
        exchange.send(
                200, new Page<>(points, end < all.size() ? Optional.of(Integer.toString(end)) : Optional.empty()));
    }

    private void checkpoints(Exchange exchange, PathVariables variables) {
        JobId job = references.find(exchange, variables);
        JobRoutes.requireFiles(job, jobs);
        boolean over =
                store.find(job).map(record -> !record.state().holdsCapacity()).orElse(true);
        List<CheckpointDocument> found =
                checkpoints.list(job, over).stream().map(SeriesRoutes::document).toList();
        exchange.send(200, new Page<>(found, Optional.empty()));
    }

    private static CheckpointDocument document(Checkpoint checkpoint) {
        return new CheckpointDocument(
                checkpoint.name(),
                checkpoint.step(),
                checkpoint.path(),
                checkpoint.whole(),
                checkpoint.job().value());
    }
}
