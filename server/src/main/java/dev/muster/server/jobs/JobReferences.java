package dev.muster.server.jobs;

import dev.muster.api.ProblemDocument;
import dev.muster.api.ProblemType;
import dev.muster.model.JobId;
import dev.muster.model.Nearest;
import dev.muster.server.http.Exchange;
import dev.muster.server.http.PathVariables;
import dev.muster.server.http.ProblemException;
import dev.muster.spi.JobStore;
import dev.muster.spi.Projects;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Finds the job a user means: its whole id, else its name (the live job of that name, else the newest), else a prefix that only one id
 * has. A name goes before a prefix, so that a script that uses names never depends on which ids there happen to be.
 */
public final class JobReferences {
    private static final Pattern PREFIX = Pattern.compile("[a-z][a-z0-9]{0,30}");
    private static final int MOST_SHOWN = 10;
    private static final int LOOKED_AT = 200;

    private final JobStore store;

    public JobReferences(JobStore store) {
        this.store = store;
    }

    /**
     * The job that the path of a request names, among those its caller may see. From then on the request is about it.
     *
     * @throws ProblemException when no job fits, or several do
     */
    JobId find(Exchange exchange, PathVariables variables) {
        JobId job = find(variables.get("job"), exchange.caller().projects());
        exchange.note().subject(job.value());
        return job;
    }

    /** @throws ProblemException when no job of these projects fits, or several do */
    JobId find(String reference, Projects projects) {
        List<JobId> hits = PREFIX.matcher(reference).matches()
                ? store.withPrefix(reference, projects, MOST_SHOWN)
                : List.<JobId>of();
        Optional<JobId> exact = hits.stream()
                .filter(id -> id.value().equals(reference))
                .findFirst()
                .or(() -> store.named(reference, projects));
        if (exact.isPresent()) {
            return exact.get();
        }
        if (hits.isEmpty()) {
            throw nothingFits(reference, projects);
        }
        if (hits.size() > 1) {
            List<String> ids = hits.stream().map(JobId::value).toList();
            throw new ProblemException(ProblemDocument.ambiguous(
                    ids, "'" + reference + "' fits " + String.join(" and ", ids) + "; write more of the id."));
        }
        return hits.getFirst();
    }

    private ProblemException nothingFits(String reference, Projects projects) {
        JobStore.Query newest = new JobStore.Query(
                Set.of(),
                Optional.empty(),
                projects,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                LOOKED_AT);
        List<String> names =
                store.list(newest).jobs().stream().map(job -> job.spec().name()).toList();
        String nearest = Nearest.to(reference, names)
                .map(name -> " Did you mean " + name + "?")
                .orElse("");
        return new ProblemException(
                ProblemType.NOT_FOUND, notFound(reference).problem().detail() + nearest);
    }

    static ProblemException notFound(String reference) {
        return new ProblemException(
                ProblemType.NOT_FOUND, "No job has the id, the name or an id that starts with '" + reference + "'.");
    }
}
