package dev.muster.cli.command;

import dev.muster.api.JobDocument;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.screen.JobPage;
import dev.muster.formats.json.JsonFields;
import java.time.ZoneId;

/** {@code get ID}: all about one job. A failed job is no failure of the command. */
public final class GetCommand implements Command {
    @Override
    public Syntax syntax() {
        return Syntax.of("get", "state, reason, processes, progress and model of a job")
                .operand("ID", Options.JOB);
    }

    @Override
    public ExitCode run(Session session) {
        show(session, session.api().job(session.arguments().operand(0)));
        return ExitCode.DONE;
    }

    /** The job in the format asked for. */
    static void show(Session session, JsonFields job) {
        if (session.json()) {
            session.write(job);
        } else {
            new JobPage(
                            session.api().time(),
                            ZoneId.systemDefault(),
                            session.screen().columns(),
                            session.called())
                    .write(JobDocument.of(job), session.out()::line);
        }
    }
}
