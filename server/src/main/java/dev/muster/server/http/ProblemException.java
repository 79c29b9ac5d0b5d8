package dev.muster.server.http;

import dev.muster.api.FieldProblem;
import dev.muster.api.Needs;
import dev.muster.api.ProblemDocument;
import dev.muster.api.ProblemType;
import dev.muster.formats.json.JsonException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Ends a request with an error answer. It is an answer, not a fault, so it has no stack trace. */
public final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient ProblemDocument problem;
    private final transient Map<String, String> headers;

    public ProblemException(ProblemDocument problem, Map<String, String> headers) {
        super(problem.detail(), null, false, false);
        this.problem = problem;
        this.headers = Map.copyOf(headers);
    }

    public ProblemException(ProblemDocument problem) {
        this(problem, Map.of());
    }

    public ProblemException(ProblemType type, String detail) {
        this(ProblemDocument.of(type, detail));
    }

    /** A request with one wrong field. */
    public static ProblemException invalid(String field, String message) {
        return invalid(List.of(new FieldProblem(field, message, Optional.empty())));
    }

    /** A request whose JSON is not what was expected. */
    static ProblemException invalid(JsonException wrong) {
        return invalid(wrong.all().stream()
                .map(each -> new FieldProblem(each.field(), each.message(), Optional.empty()))
                .toList());
    }

    /** A request with wrong fields, all of them. */
    public static ProblemException invalid(List<FieldProblem> problems) {
        return invalid(problems, Optional.empty());
    }

    /**
     * A request with wrong fields, all of them.
     *
     * @param needs what would have to be sent along if they were right
     */
    public static ProblemException invalid(List<FieldProblem> problems, Optional<Needs> needs) {
        String detail = problems.size() == 1
                ? sentence(problems.getFirst())
                : problems.size() + " fields are wrong; nothing was stored.";
        return new ProblemException(
                ProblemDocument.of(ProblemType.INVALID, detail, problems).with(needs.filter(all -> !all.isEmpty())));
    }

    /** A rule that does not say of which field it is gets its name in front. */
    private static String sentence(FieldProblem problem) {
        return problem.message().contains(problem.field())
                ? problem.message()
                : problem.field() + ": " + problem.message();
    }

    public ProblemDocument problem() {
        return problem;
    }

    public Map<String, String> headers() {
        return headers;
    }
}
