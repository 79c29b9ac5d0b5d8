package dev.muster.server.jobs;

import dev.muster.api.FieldProblem;
import dev.muster.api.JobRequest;
import dev.muster.api.ManifestDocument;
import dev.muster.backend.kubernetes.ManifestKind;
import dev.muster.backend.kubernetes.Manifests;
import dev.muster.control.Ports;
import dev.muster.model.Group;
import dev.muster.model.JobSpec;
import dev.muster.model.Nearest;
import dev.muster.model.Problem;
import dev.muster.server.http.Bodies;
import dev.muster.server.http.Exchange;
import dev.muster.server.http.Handler;
import dev.muster.server.http.PathVariables;
import dev.muster.server.http.ProblemException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** Writes a job as a file that other systems take. Nothing is stored; whether it could run here is not asked. */
final class ExportRoute implements Handler {
    private final Submissions submissions;
    private final Ports ports;
    private final Manifests manifests;

    ExportRoute(Submissions submissions, Ports ports, Manifests manifests) {
        this.submissions = submissions;
        this.ports = ports;
        this.manifests = manifests;
    }

    @Override
    public void handle(Exchange exchange, PathVariables variables) throws IOException {
        String as = exchange.query("as").orElse("");
        ManifestKind kind = ManifestKind.of(as).orElseThrow(() -> {
            List<String> kinds =
                    Arrays.stream(ManifestKind.values()).map(ManifestKind::text).toList();
            return ProblemException.invalid(List.of(
                    new FieldProblem("as", "as must be one of " + String.join(", ", kinds), Nearest.to(as, kinds))));
        });
        JobSpec spec = submissions.toExport(Bodies.read(exchange, JobRequest::of), exchange.caller());
        List<Problem> problems = manifests.check(kind, spec);
        if (!problems.isEmpty()) {
            throw ProblemException.invalid(JobRoutes.fields(problems));
        }
        String yaml = manifests.yaml(
                kind, spec, ports.frameworks().get(spec.framework()).plan(spec, Group.of(spec)));
        exchange.send(200, new ManifestDocument(kind.text(), yaml));
    }
}
