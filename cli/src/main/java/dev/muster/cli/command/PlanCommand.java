package dev.muster.cli.command;

import dev.muster.api.PlanDocument;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.screen.PlanPage;
import dev.muster.formats.json.JsonFields;

/** {@code plan FILE}: what would be launched. */
public final class PlanCommand implements Command {
    @Override
    public Syntax syntax() {
        return Syntax.of("plan", "show what each process would be given; nothing is stored or started")
                .operand("FILE", SubmitCommand.FILE)
                .option(Options.SET);
    }

    @Override
    public ExitCode run(Session session) {
        JsonFields plan =
                SubmitCommand.submission(session).plan(SubmitCommand.file(session), Options.sets(session.arguments()));
        if (session.json()) {
            session.write(plan);
        } else {
            PlanPage.write(PlanDocument.of(plan), session.out()::line);
        }
        return ExitCode.DONE;
    }
}
