package dev.muster.server.jobs;

import dev.muster.backend.kubernetes.Manifests;
import dev.muster.control.Jobs;
import dev.muster.control.Ports;
import dev.muster.control.StartingPoint;
import dev.muster.server.access.Scope;
import dev.muster.server.http.Route;
import dev.muster.spi.Clock;
import dev.muster.spi.CodeStore;
import dev.muster.spi.Ids;
import dev.muster.spi.JobStore.SpecCodec;
import dev.muster.telemetry.EvidenceReader;
import dev.muster.telemetry.LogReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All routes about jobs, put together. */
public final class JobApi {
    private final List<Route> routes = new ArrayList<>();

    /**
     * What the routes work with.
     *
     * @param absent  backends that are not to be had
     * @param changes tells of every change of the store in {@code ports}
     * @param localUse whether backend local may be used
     * @param hostPaths which files of this machine jobs may name
     * @param host     host that accepts jobs, where several share a store
     * @param manifests writes jobs as files of other systems
     */
    public record Parts(
            Jobs jobs,
            Ports ports,
            AbsentBackends absent,
            LogReader logs,
            EvidenceReader evidence,
            CodeStore code,
            SpecCodec codec,
            Ids ids,
            Clock clock,
            JobChanges changes,
            LocalUse localUse,
            HostPaths hostPaths,
            Optional<String> host,
            Manifests manifests) {}

    public JobApi(Parts parts) {
        Jobs jobs = parts.jobs();
        Ports ports = parts.ports();
        JobReferences references = new JobReferences(ports.store());
        JobFacts facts = new JobFacts(parts.codec());
        JobDocuments documents = new JobDocuments(facts);
        Following following = new Following(parts.changes());
        JobEnds ends = new JobEnds(ports.store(), parts.changes());
        routes.addAll(new JobRoutes(jobs, ports.store(), documents, references, ends).routes());
        StartingPoint startingPoint = new StartingPoint(ports.store(), ports.checkpoints());
        Submissions submissions = new Submissions(
                new SpecCheck(jobs, parts.absent(), new InterpreterCheck(ports)),
                parts.code(),
                startingPoint,
                parts.localUse(),
                parts.hostPaths(),
                parts.host());
        routes.addAll(new SubmitRoutes(
                        jobs,
                        ports.store(),
                        parts.codec(),
                        submissions,
                        new Plans(ports, parts.ids(), parts.clock(), startingPoint),
                        references,
                        documents)
                .routes());
        routes.add(new Route(
                "POST", "/v1/exports", Scope.SUBMIT, new ExportRoute(submissions, ports, parts.manifests()), "as"));
        routes.addAll(new SeriesRoutes(ports.store(), ports.checkpoints(), jobs, references).routes());
        routes.addAll(new QueueRoutes(jobs).routes());
        routes.add(new Route(
                "GET", "/v1/jobs/{job}/watch", Scope.READ, new WatchRoute(jobs, documents, references, following)));
        routes.add(new Route(
                "GET",
                "/v1/jobs/{job}/logs",
                Scope.READ,
                new LogRoute(parts.logs(), ports.store(), facts, jobs, references, parts.changes()),
                "process",
                "attempt",
                "follow",
                "raw"));
        routes.add(new Route(
                "GET", "/v1/jobs/{job}/evidence", Scope.READ, new EvidenceRoute(parts.evidence(), jobs, references)));
        routes.add(new Route(
                "GET",
                "/v1/jobs/{job}/events",
                Scope.READ,
                new EventRoutes(ports.store(), references, following),
                "after",
                "limit",
                "follow"));
    }

    public List<Route> routes() {
        return List.copyOf(routes);
    }
}
