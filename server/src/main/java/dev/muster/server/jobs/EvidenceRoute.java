package dev.muster.server.jobs;

import dev.muster.api.EvidenceDocument;
import dev.muster.api.Page;
import dev.muster.control.Jobs;
import dev.muster.model.JobId;
import dev.muster.server.http.Exchange;
import dev.muster.server.http.Handler;
import dev.muster.server.http.PathVariables;
import dev.muster.telemetry.EvidenceReader;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Why attempts of a job did not go on. */
final class EvidenceRoute implements Handler {
    private final EvidenceReader evidence;
    private final Jobs jobs;
    private final JobReferences references;

    EvidenceRoute(EvidenceReader evidence, Jobs jobs, JobReferences references) {
        this.jobs = jobs;
        this.evidence = evidence;
        this.references = references;
    }

    @Override
    public void handle(Exchange exchange, PathVariables variables) throws IOException {
        JobId job = references.find(exchange, variables);
        JobRoutes.requireFiles(job, jobs);
        List<EvidenceDocument> files = evidence.of(job).stream()
                .map(file -> new EvidenceDocument(
                        file.key().name().toString(), file.key().attempt(), file.name(), file.text(), file.truncated()))
                .toList();
        exchange.send(200, new Page<>(files, Optional.empty()));
    }
}
