package dev.muster.cli.command;

import dev.muster.api.Submitted;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.base.Failure;
import dev.muster.cli.embedded.LocalService;
import dev.muster.cli.submit.JobFile;
import dev.muster.cli.submit.Submission;
import dev.muster.cli.system.SubmissionKeys;
import java.util.List;

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
        try {
            session.out().line(session.json() ? new Submitted(id).toJson().toString() : id);
            session.out().flush();
        } catch (Failure unwritten) {
            throw Failure.refused("job " + id + " is handed in, but " + unwritten.getMessage());
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
        return new Submission(
                session.api(),
                session.surroundings(),
                session.notes(),
                session.server().isPresent() ? List::of : new LocalService(session.surroundings())::differentSettings);
    }
}
