package dev.muster.cli.command;

import dev.muster.api.FieldProblem;
import dev.muster.api.ProblemDocument;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** What is wrong, for a person: one sentence, then each wrong field with its rule and what to write instead. */
final class FailurePage {
    /** A suggestion that is a value or name itself, and no sentence about it. */
    private static final Pattern WORD = Pattern.compile("\\S+");

    private FailurePage() {}

    static void write(ProblemDocument problem, Consumer<String> lines) {
        List<FieldProblem> problems = problem.problems();
        if (problems.size() == 1 && isAllThatIsSaid(problem, problems.getFirst())) {
            lines.accept("muster: " + one(problems.getFirst()));
        } else if (problems.size() == 1
                && problem.detail().contains(problems.getFirst().message())) {
            lines.accept("muster: " + problem.detail());
            problems.getFirst().suggestion().ifPresent(suggestion -> lines.accept("  " + asSentence(suggestion)));
        } else {
            lines.accept("muster: " + problem.detail());
            problems.forEach(one -> lines.accept("  " + one(one)));
        }
        problem.ids().forEach(id -> lines.accept("  " + id));
    }

    /** Whether the sentence is the rule alone, with or without the field in front. */
    private static boolean isAllThatIsSaid(ProblemDocument problem, FieldProblem only) {
        return !only.field().isEmpty()
                && (problem.detail().equals(only.message())
                        || problem.detail().equals(only.field() + ": " + only.message()));
    }

    private static boolean isWord(String suggestion) {
        return WORD.matcher(suggestion).matches();
    }

    /** A number alone below a rule says nothing. */
    private static String asSentence(String suggestion) {
        return isWord(suggestion) ? "did you mean " + suggestion + "?" : suggestion;
    }

    private static String one(FieldProblem problem) {
        String suggestion = problem.suggestion()
                .map(text -> isWord(text) ? "; " + asSentence(text) : " (" + text + ")")
                .orElse("");
        boolean named = problem.field().isEmpty() || problem.message().startsWith(problem.field() + " ");
        return named ? problem.message() + suggestion : problem.field() + ": " + problem.message() + suggestion;
    }
}
