package dev.muster.cli.command;

import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;

/** {@code suspend ID}. */
public final class SuspendCommand implements Command {
    @Override
    public Syntax syntax() {
        return Syntax.of("suspend", "stop a job so that it can be resumed from its newest checkpoint")
                .operand("ID", Options.JOB);
    }

    @Override
    public ExitCode run(Session session) {
        JobActions.show(session, session.api().suspend(session.arguments().operand(0)));
        return ExitCode.DONE;
    }
}
