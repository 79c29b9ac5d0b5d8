package dev.muster.cli.submit;

import dev.muster.api.FieldProblem;
import dev.muster.api.ProblemDocument;
import dev.muster.api.ProblemType;
import dev.muster.cli.base.Failure;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says in which file the job text is wrong: the service has only seen the text. Places are written as compilers do, {@code job.yaml:7:3: ...}. */
final class InFile {
    private static final Pattern PLACE = Pattern.compile("line (\\d+)(?:, column (\\d+))?: (.*)", Pattern.DOTALL);

    private InFile() {}

    /** The failure with the file's name in it, when it is about what stands in the file. */
    static Failure of(Failure failure, JobFile file) {
        ProblemDocument problem = failure.problem();
        if (!problem.type().equals(ProblemType.INVALID.urn())
                || problem.problems().isEmpty()) {
            return failure;
        }
        List<FieldProblem> problems = problem.problems().stream()
                .map(one -> new FieldProblem(one.field(), placed(one, file.name()), one.suggestion()))
                .toList();
        String first = problems.getFirst().message();
        boolean only = problems.size() == 1
                && problem.detail().equals(problem.problems().getFirst().message());
        String said = only ? "1 field is wrong; nothing was stored." : problem.detail();
        String detail = only && first.startsWith(file.name() + ":") ? first : file.name() + ": " + said;
        return Failure.of(problem.with(detail, problems));
    }

    /** A place in a value of {@code --set} is none in the file. */
    private static String placed(FieldProblem problem, String file) {
        Matcher place = PLACE.matcher(problem.message());
        if (problem.field().startsWith("--set ") || !place.matches()) {
            return problem.message();
        }
        String column = place.group(2) == null ? "" : ":" + place.group(2);
        return file + ":" + place.group(1) + column + ": " + place.group(3);
    }
}
