package dev.muster.cli.command;

import dev.muster.api.JsonFields;
import dev.muster.api.Page;
import dev.muster.api.QueueDocument;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.format.Table;

/** {@code queues}. */
public final class QueuesCommand implements Command {
    @Override
    public Syntax syntax() {
        return Syntax.of("queues", "queues, with the jobs that wait in them and those that hold capacity");
    }

    @Override
    public ExitCode run(Session session) {
        JsonFields answer = session.api().queues();
        if (session.json()) {
            session.write(answer);
            return ExitCode.DONE;
        }
        Table table = new Table().column("QUEUE").numberColumn("QUEUED").numberColumn("ACTIVE");
        for (QueueDocument queue : Page.of(answer, QueueDocument::of).items()) {
            table.row(queue.name(), Integer.toString(queue.queued()), Integer.toString(queue.active()));
        }
        table.writeTo(session.screen().columns(), session.out()::line);
        return ExitCode.DONE;
    }
}
