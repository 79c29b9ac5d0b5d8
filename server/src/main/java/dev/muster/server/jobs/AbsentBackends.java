package dev.muster.server.jobs;

import dev.muster.model.BackendKind;
import dev.muster.model.JobSpec;
import dev.muster.model.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Backends that the service is to offer and cannot, each with what a job that names it is told: why, and what to do.
 *
 * @param problems of field {@code backend}
 */
public record AbsentBackends(Map<BackendKind, Problem> problems) {
    public AbsentBackends {
        problems = Map.copyOf(problems);
    }

    /** What was found wrong with a job, with the cause in place of the bare fact that there is no such backend. */
    List<Problem> explained(JobSpec spec, List<Problem> found) {
        Optional<Problem> cause = Optional.ofNullable(problems.get(spec.backend()));
        return found.stream()
                .map(each ->
                        cause.filter(why -> each.field().equals(why.field())).orElse(each))
                .toList();
    }
}
