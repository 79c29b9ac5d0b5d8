package dev.muster.server.jobs;

import dev.muster.api.CheckpointDocument;
import dev.muster.api.MetricDocument;
import dev.muster.api.Page;
import dev.muster.model.Checkpoint;
import dev.muster.model.JobId;
import dev.muster.server.access.Scope;
import dev.muster.server.http.Exchange;
import dev.muster.server.http.PathVariables;
import dev.muster.server.http.Route;
import dev.muster.spi.CheckpointCatalogue;
import dev.muster.spi.JobStore;
import java.util.List;
import java.util.Optional;

/** Metrics and checkpoints of a job. */
final class SeriesRoutes {
    private final JobStore store;
    private final CheckpointCatalogue checkpoints;
    private final JobReferences references;

    SeriesRoutes(JobStore store, CheckpointCatalogue checkpoints, JobReferences references) {
        this.store = store;
        this.checkpoints = checkpoints;
        this.references = references;
    }

    List<Route> routes() {
        return List.of(
                new Route("GET", "/v1/jobs/{job}/metrics", Scope.READ, this::metrics),
                new Route("GET", "/v1/jobs/{job}/checkpoints", Scope.READ, this::checkpoints));
    }

    private void metrics(Exchange exchange, PathVariables variables) {
        JobId job = references.find(exchange, variables);
        List<MetricDocument> points = store.metrics(job, exchange.query("metric")).stream()
                .map(point -> new MetricDocument(point.at(), point.step(), point.metric(), point.value()))
                .toList();
        exchange.send(200, new Page<>(points, Optional.empty()));
    }

    private void checkpoints(Exchange exchange, PathVariables variables) {
        JobId job = references.find(exchange, variables);
        List<CheckpointDocument> found =
                checkpoints.list(job).stream().map(SeriesRoutes::document).toList();
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
