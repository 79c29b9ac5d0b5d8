package dev.muster.cli.command;

import dev.muster.api.CheckpointDocument;
import dev.muster.api.Page;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.format.Table;
import dev.muster.formats.json.JsonFields;

/** {@code checkpoints ID}: newest first. */
public final class CheckpointsCommand implements Command {
    @Override
    public Syntax syntax() {
        return Syntax.of("checkpoints", "checkpoints of a job, newest first").operand("ID", Options.JOB);
    }

    @Override
    public ExitCode run(Session session) {
        JsonFields answer = session.api().checkpoints(session.arguments().operand(0));
        if (session.json()) {
            session.write(answer);
            return ExitCode.DONE;
        }
        Table table =
                new Table().column("NAME").numberColumn("STEP").column("WHOLE").flexibleColumn("PATH");
        for (CheckpointDocument checkpoint :
                Page.of(answer, CheckpointDocument::of).items()) {
            String step = checkpoint.step().isPresent()
                    ? Long.toString(checkpoint.step().getAsLong())
                    : "-";
            table.row(checkpoint.name(), step, checkpoint.whole() ? "yes" : "no", checkpoint.path());
        }
        if (table.isEmpty()) {
            session.notes().say("no checkpoints");
        } else {
            table.writeTo(session.screen().columns(), session.out()::line);
        }
        return ExitCode.DONE;
    }
}
