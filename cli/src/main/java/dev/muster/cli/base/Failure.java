package dev.muster.cli.base;

import dev.muster.api.FieldProblem;
import dev.muster.api.ProblemDocument;
import dev.muster.api.ProblemType;
import java.util.List;
import java.util.Optional;

/** A command cannot do what was asked. Says it once for people and scripts, and carries the exit code. It has no stack trace. */
public final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int REQUEST_TIMEOUT = 408;

    private final transient ProblemDocument problem;
    private final ExitCode exitCode;

    private Failure(ExitCode exitCode, ProblemDocument problem) {
        super(problem.detail(), null, false, false);
        this.exitCode = exitCode;
        this.problem = problem;
    }

    /** What the service answered. */
    public static Failure of(ProblemDocument answer) {
        return new Failure(exitCode(answer), answer);
    }

    /** Wrong input or usage, each wrong thing with its field. */
    public static Failure badInput(String detail, List<FieldProblem> problems) {
        return of(ProblemDocument.of(ProblemType.INVALID, detail, problems));
    }

    public static Failure badInput(String detail) {
        return badInput(detail, List.of());
    }

    /** One wrong field. */
    public static Failure badField(String field, String message, String suggestion) {
        return badInput(field + " " + message, List.of(new FieldProblem(field, message, Optional.of(suggestion))));
    }

    public static Failure notReached(String detail) {
        return of(ProblemDocument.of(ProblemType.UNAVAILABLE, detail));
    }

    public static Failure refused(String detail) {
        return of(ProblemDocument.of(ProblemType.FORBIDDEN, detail));
    }

    public static Failure fault(String detail) {
        return of(ProblemDocument.of(ProblemType.INTERNAL, detail));
    }

    /** What was waited for did not come in the time given. */
    public static Failure timedOut(String detail) {
        return new Failure(
                ExitCode.TIMED_OUT,
                new ProblemDocument(
                        "urn:muster:timeout",
                        "The time given is over",
                        REQUEST_TIMEOUT,
                        detail,
                        List.of(),
                        Optional.empty(),
                        List.of()));
    }

    public ExitCode exitCode() {
        return exitCode;
    }

    public ProblemDocument problem() {
        return problem;
    }

    private static ExitCode exitCode(ProblemDocument answer) {
        Optional<ProblemType> known = ProblemType.ofUrn(answer.type());
        if (known.isEmpty()) {
            return exitCode(answer.status());
        }
        return switch (known.get()) {
            case INVALID, AMBIGUOUS, TOO_LARGE, RANGE, NEEDS -> ExitCode.BAD_INPUT;
            case UNAUTHORIZED, FORBIDDEN, NAME_TAKEN, STATE, DISK_FULL -> ExitCode.REFUSED;
            case NOT_FOUND -> ExitCode.NOT_FOUND;
            case UNAVAILABLE -> ExitCode.NOT_REACHED;
            case METHOD, INTERNAL -> ExitCode.FAULT;
        };
    }

    /** For a kind of problem that a newer service knows and this command line does not. */
    private static ExitCode exitCode(int status) {
        return switch (status) {
            case 400, 413, 422 -> ExitCode.BAD_INPUT;
            case 404, 410 -> ExitCode.NOT_FOUND;
            case 502, 503, 504 -> ExitCode.NOT_REACHED;
            default -> status < 500 ? ExitCode.REFUSED : ExitCode.FAULT;
        };
    }
}
