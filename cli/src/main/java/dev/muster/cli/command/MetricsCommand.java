package dev.muster.cli.command;

import dev.muster.api.MetricDocument;
import dev.muster.api.Page;
import dev.muster.cli.arguments.Option;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.client.Query;
import dev.muster.cli.screen.MetricTable;
import dev.muster.formats.json.JsonFields;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

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
            session.notes().say(nothing(session));
        } else {
            MetricTable.write(points, session.screen().columns(), session.out()::line);
        }
        return ExitCode.DONE;
    }

    private static String nothing(Session session) {
        Optional<String> metric = session.arguments().value("--metric");
        JsonFields all = session.api().metrics(session.arguments().operand(0), new Query());
        Set<String> names = new TreeSet<>();
        Page.of(all, MetricDocument::of).items().forEach(point -> names.add(point.metric()));
        return metric.isEmpty() || names.isEmpty()
                ? "no metrics were reported"
                : "no metric " + metric.get() + " was reported; there are " + String.join(", ", names);
    }
}
