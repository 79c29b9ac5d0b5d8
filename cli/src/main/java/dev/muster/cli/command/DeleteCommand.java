package dev.muster.cli.command;

import dev.muster.api.JobDocument;
import dev.muster.api.ProblemDocument;
import dev.muster.cli.arguments.Option;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.base.Failure;
import dev.muster.formats.json.Json;
import java.util.Optional;

/** {@code delete ID}. */
public final class DeleteCommand implements Command {
    @Override
    public Syntax syntax() {
        return Syntax.of("delete", "remove a final job with its logs and checkpoints; its registered model stays")
                .operand("ID", Options.JOB)
                .option(Option.flag("--cancel", "cancel it first when it is live"));
    }

    @Override
    public ExitCode run(Session session) {
        String operand = session.arguments().operand(0);
        boolean cancel = session.arguments().has("--cancel");
        // By its id, so that a name cannot mean another job in between.
        Optional<JobDocument> job = shown(session, operand, cancel);
        String id = job.map(JobDocument::id).orElse(operand);
        delete(session, job, id, cancel);
        if (session.json()) {
            session.write(Json.object().put("id", id).build());
        } else {
            session.out().line("deleted " + job.map(known -> known.name() + " ").orElse("") + id);
        }
        return ExitCode.DONE;
    }

    private static void delete(Session session, Optional<JobDocument> job, String id, boolean cancel) {
        try {
            session.api().delete(id, cancel);
        } catch (Failure failure) {
            boolean live = job.filter(known -> !known.isFinal()).isPresent();
            if (cancel || !live || failure.exitCode() != ExitCode.REFUSED) {
                throw failure;
            }
            ProblemDocument told = failure.problem();
            throw Failure.of(told.with(
                    told.detail() + "; to cancel it first: muster delete " + id + " --cancel", told.problems()));
        }
    }

    /** Empty for one whose record cannot be read, which can be removed all the same. */
    private static Optional<JobDocument> shown(Session session, String operand, boolean cancel) {
        try {
            return Optional.of(session.api().jobDocument(operand));
        } catch (Failure failure) {
            if (!cancel || failure.exitCode() != ExitCode.REFUSED) {
                throw failure;
            }
            return Optional.empty();
        }
    }
}
