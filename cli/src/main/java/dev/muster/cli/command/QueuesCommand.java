package dev.muster.cli.command;

import dev.muster.api.Page;
import dev.muster.api.QueueDocument;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.screen.QueueTables;
import dev.muster.formats.json.JsonFields;

/** {@code queues}. */
public final class QueuesCommand implements Command {
    @Override
    public Syntax syntax() {
        return Syntax.of("queues", "queues: what they may hold, what they hold, and who waits in them");
    }

    @Override
    public ExitCode run(Session session) {
        JsonFields answer = session.api().queues();
        if (session.json()) {
            session.write(answer);
        } else {
            QueueTables.write(
                    Page.of(answer, QueueDocument::of).items(), session.screen().columns(), session.out()::line);
        }
        return ExitCode.DONE;
    }
}
