package dev.muster.cli.command;

import dev.muster.api.FieldProblem;
import dev.muster.api.ProblemDocument;
import java.util.List;
import java.util.function.Consumer;

/** What is wrong, for a person: one sentence, then each wrong field with its rule and what to write instead. */
final class FailurePage {
    private FailurePage() {}

    static void write(ProblemDocument problem, Consumer<String> lines) {
        List<FieldProblem> problems = problem.problems();
        if (problems.size() == 1
                && problem.detail().contains(problems.getFirst().message())) {
            lines.accept(
                    "muster: " + named(problem.detail(), problems.getFirst().field()));
            problems.getFirst().suggestion().ifPresent(suggestion -> lines.accept("  " + suggestion));
        } else {
            lines.accept("muster: " + problem.detail());
            problems.forEach(one -> lines.accept("  " + one(one)));
        }
        problem.ids().forEach(id -> lines.accept("  " + id));
    }

    /** A sentence about a field names it. */
    private static String named(String sentence, String field) {
        return field.isEmpty() || sentence.contains(field) ? sentence : field + ": " + sentence;
    }

    private static String one(FieldProblem problem) {
        String suggestion =
                problem.suggestion().isPresent() ? " (" + problem.suggestion().get() + ")" : "";
        return problem.field().isEmpty()
                ? problem.message() + suggestion
                : problem.field() + ": " + problem.message() + suggestion;
    }
}
