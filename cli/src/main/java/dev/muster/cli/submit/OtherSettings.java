package dev.muster.cli.submit;

import dev.muster.api.FieldProblem;
import dev.muster.api.ProblemDocument;
import dev.muster.cli.base.Failure;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Says of a job that does not suit a backend that the service runs with other settings than those here: to change these alone changes nothing. */
final class OtherSettings {
    private static final String BACKEND = "backend";

    private OtherSettings() {}

    /** @param differences asked only where they may matter */
    static Failure told(Failure refused, Supplier<List<String>> differences) {
        ProblemDocument problem = refused.problem();
        if (problem.problems().stream().noneMatch(each -> each.field().equals(BACKEND))) {
            return refused;
        }
        List<String> all = differences.get();
        if (all.isEmpty()) {
            return refused;
        }
        List<FieldProblem> problems = problem.problems().stream()
                .map(each -> each.field().equals(BACKEND) ? with(each, all) : each)
                .toList();
        return Failure.of(problem.with(problem.detail(), problems));
    }

    private static FieldProblem with(FieldProblem problem, List<String> differences) {
        String more = Stream.concat(problem.suggestion().stream(), differences.stream())
                .reduce((first, second) -> first + "; " + second)
                .orElseThrow();
        return new FieldProblem(problem.field(), problem.message(), Optional.of(more));
    }
}
