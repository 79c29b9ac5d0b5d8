package dev.muster.server.jobs;

import dev.muster.api.CheckpointDocument;
import dev.muster.api.MetricDocument;
import dev.muster.api.Page;
import dev.muster.api.QueueDocument;
import dev.muster.model.Checkpoint;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.server.access.Scope;
import dev.muster.server.http.Exchange;
import dev.muster.server.http.PathVariables;
import dev.muster.server.http.Route;
import dev.muster.spi.CheckpointCatalogue;
import dev.muster.spi.JobStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Metrics and checkpoints of a job, and the queues. */
final class SeriesRoutes {
    private static final String DEFAULT_QUEUE = "default";

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
                new Route("GET", "/v1/jobs/{job}/checkpoints", Scope.READ, this::checkpoints),
                new Route("GET", "/v1/queues", Scope.READ, this::queues));
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

    private void queues(Exchange exchange, PathVariables variables) {
        Map<String, QueueDocument> queues = new TreeMap<>();
        queues.put(DEFAULT_QUEUE, new QueueDocument(DEFAULT_QUEUE, 0, 0));
        for (JobRecord job : store.live()) {
            int queued = job.state() == JobState.QUEUED ? 1 : 0;
            int active = job.state().holdsCapacity() ? 1 : 0;
            queues.merge(
                    job.spec().queue(),
                    new QueueDocument(job.spec().queue(), queued, active),
                    (one, other) -> new QueueDocument(
                            one.name(), one.queued() + other.queued(), one.active() + other.active()));
        }
        exchange.send(200, new Page<>(List.copyOf(queues.values()), Optional.empty()));
    }
}
