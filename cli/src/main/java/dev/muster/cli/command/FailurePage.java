package dev.muster.cli.command;

import dev.muster.api.FieldProblem;
import dev.muster.api.ProblemDocument;
import java.util.function.Consumer;

/** What is wrong, for a person: one sentence, then each wrong field with its rule and what to write instead. */
final class FailurePage {
    private FailurePage() {}

    static void write(ProblemDocument problem, Consumer<String> lines) {
        lines.accept("muster: " + problem.detail());
        for (FieldProblem one : problem.problems()) {
            boolean told = problem.problems().size() == 1 && problem.detail().contains(one.message());
            String suggestion = one.suggestion().orElse("");
            if (!told) {
                String field = one.field().isEmpty() ? "" : one.field() + ": ";
                lines.accept("  " + field + one.message() + (suggestion.isEmpty() ? "" : " (" + suggestion + ")"));
            } else if (!suggestion.isEmpty()) {
                lines.accept("  " + suggestion);
            }
        }
        if (!problem.ids().isEmpty()) {
            problem.ids().forEach(id -> lines.accept("  " + id));
        }
    }
}
