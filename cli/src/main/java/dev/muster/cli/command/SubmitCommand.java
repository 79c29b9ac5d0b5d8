package dev.muster.cli.command;

import dev.muster.api.Submitted;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.submit.JobFile;
import dev.muster.cli.submit.Submission;
import dev.muster.cli.system.SubmissionKeys;

/** {@code submit FILE}: hands a job in and prints its id. */
public final class SubmitCommand implements Command {
    static final String FILE = "job text in YAML or JSON; - for standard input";

    @Override
    public Syntax syntax() {
        return Syntax.of("submit", "hand a job in and print its id")
                .operand("FILE", FILE)
                .option(Options.SET);
    }

    @Override
    public ExitCode run(Session session) {
        String id = submit(session);
        if (session.json()) {
            session.write(new Submitted(id).toJson());
        } else {
            session.out().line(id);
        }
        return ExitCode.DONE;
    }

    /** Hands in the job that the arguments name. */
    static String submit(Session session) {
        JobFile file = file(session);
        return submission(session).submit(file, Options.sets(session.arguments()), SubmissionKeys.next());
    }

    static JobFile file(Session session) {
        return JobFile.read(
                session.arguments().operand(0), session.surroundings().folder(), session.in());
    }

    static Submission submission(Session session) {
        return new Submission(session.api(), session.surroundings(), session.notes());
    }
}
