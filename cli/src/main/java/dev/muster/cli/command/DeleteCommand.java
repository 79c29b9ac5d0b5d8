package dev.muster.cli.command;

import dev.muster.api.JobDocument;
import dev.muster.cli.arguments.Option;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.formats.json.Json;

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
        // By its id, so that a name cannot mean another job in between.
        JobDocument job = session.api().jobDocument(session.arguments().operand(0));
        session.api().delete(job.id(), session.arguments().has("--cancel"));
        if (session.json()) {
            session.write(Json.object().put("id", job.id()).build());
        } else {
            session.out().line("deleted " + job.name() + " " + job.id());
        }
        return ExitCode.DONE;
    }
}
