package dev.muster.cli.command;

import dev.muster.api.JsonFields;
import dev.muster.api.MetricDocument;
import dev.muster.api.Page;
import dev.muster.cli.arguments.Option;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.client.Query;
import dev.muster.cli.screen.MetricTable;
import java.util.List;

/** {@code metrics ID}: what the chief reported. */
public final class MetricsCommand implements Command {
    @Override
    public Syntax syntax() {
        return Syntax.of("metrics", "values that a job reported, step by step")
                .operand("ID", Options.JOB)
                .option(Option.value("--metric", "NAME", "only this one"));
    }

    @Override
    public ExitCode run(Session session) {
        Query query = new Query().put("metric", session.arguments().value("--metric"));
        JsonFields answer = session.api().metrics(session.arguments().operand(0), query);
        if (session.json()) {
            session.write(answer);
            return ExitCode.DONE;
        }
        List<MetricDocument> points = Page.of(answer, MetricDocument::of).items();
        if (points.isEmpty()) {
            session.notes().say("no metrics were reported");
        } else {
            MetricTable.write(points, session.screen().columns(), session.out()::line);
        }
        return ExitCode.DONE;
    }
}
