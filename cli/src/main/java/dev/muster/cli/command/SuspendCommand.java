package dev.muster.cli.command;

import dev.muster.api.JobDocument;
import dev.muster.cli.arguments.Option;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.format.Durations;
import dev.muster.formats.json.JsonFields;

/** {@code suspend ID}: done when the decision is stored, or, with {@code --wait}, when all has stopped. */
public final class SuspendCommand implements Command {
    @Override
    public Syntax syntax() {
        return Syntax.of("suspend", "stop a job so that it can be resumed from its newest checkpoint")
                .operand("ID", Options.JOB)
                .option(Option.flag("--wait", "until all its processes are gone"));
    }

    @Override
    public ExitCode run(Session session) {
        JsonFields answer = session.api().suspend(session.arguments().operand(0));
        JobDocument job = JobDocument.of(answer);
        boolean done = JobWait.isSuspended(job);
        if (session.arguments().has("--wait") && !done) {
            session.notes().say(job.name() + " is stopping; " + grace(job) + " to save and end");
            answer = JobWait.untilSuspended(session, job.id());
            done = true;
        }
        JobActions.show(session, answer);
        if (!done && !session.json()) {
            session.say("  " + grace(job) + " to save and end; 'muster get " + job.name() + "' shows the state");
        }
        return ExitCode.DONE;
    }

    private static String grace(JobDocument job) {
        String grace = job.spec()
                .optionalText("grace")
                .flatMap(Durations::parse)
                .map(given -> "up to " + Durations.show(given))
                .orElse("time");
        return "its processes have " + grace;
    }
}
