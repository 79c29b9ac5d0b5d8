package dev.muster.cli.command;

import dev.muster.api.ResumeRequest;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;

/** {@code resume ID}: the whole changed text is checked; when it is refused the job stays Suspended. */
public final class ResumeCommand implements Command {
    @Override
    public Syntax syntax() {
        return Syntax.of("resume", "queue a suspended job again, changed where asked")
                .operand("ID", Options.JOB)
                .option(Options.SET);
    }

    @Override
    public ExitCode run(Session session) {
        ResumeRequest request = new ResumeRequest(Options.sets(session.arguments()));
        JobActions.show(session, session.api().resume(session.arguments().operand(0), request));
        return ExitCode.DONE;
    }
}
