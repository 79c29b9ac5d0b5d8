package dev.muster.cli.command;

import dev.muster.api.JobDocument;
import dev.muster.cli.arguments.Option;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.formats.json.JsonFields;

/** {@code cancel ID}: done when the decision is stored, or, with {@code --wait}, when all has stopped. */
public final class CancelCommand implements Command {
    @Override
    public Syntax syntax() {
        return Syntax.of("cancel", "stop a job for good; a final job is not changed")
                .operand("ID", Options.JOB)
                .option(Option.flag("--wait", "until all its processes are gone"));
    }

    @Override
    public ExitCode run(Session session) {
        JsonFields answer = session.api().cancel(session.arguments().operand(0));
        JobDocument job = JobDocument.of(answer);
        if (session.arguments().has("--wait") && !job.isFinal()) {
            session.notes().say(job.name() + " is " + job.state() + "; this ends when all its processes are gone");
            answer = JobWait.untilFinal(session, job.id());
        }
        JobActions.show(session, answer);
        return ExitCode.DONE;
    }
}
