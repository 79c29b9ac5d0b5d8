package dev.muster.cli.command;

import dev.muster.api.JobPage;
import dev.muster.cli.arguments.Option;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.client.Query;
import dev.muster.cli.screen.JobTable;
import dev.muster.formats.json.JsonFields;
import java.util.List;

/** {@code list}: jobs, newest first. */
public final class ListCommand implements Command {
    private static final int MOST = 1000;

    @Override
    public Syntax syntax() {
        return Syntax.of("list", "jobs, newest first")
                .option(Option.value("--state", "STATES", "only in these states, such as Running,Queued"))
                .option(Option.value("--name", "NAME", "only of this name"))
                .option(Option.value("-n --limit", "N", "at most so many (default 50)"))
                .option(Option.value(
                        "--before",
                        "NEXT",
                        "the next page, as the last one named it; or jobs older than the one with this id"));
    }

    @Override
    public ExitCode run(Session session) {
        Query query = new Query()
                .put("state", session.arguments().value("--state"))
                .put("name", session.arguments().value("--name"))
                .put(
                        "limit",
                        Options.number(session.arguments(), "--limit", MOST).map(number -> Integer.toString(number)))
                .put("before", session.arguments().value("--before"));
        JsonFields answer = session.api().jobs(query);
        if (session.json()) {
            session.write(answer);
            return ExitCode.DONE;
        }
        JobPage page = JobPage.of(answer);
        page.unreadable().forEach(job -> session.notes().say(job.reason()));
        if (page.items().isEmpty() && page.unreadable().isEmpty() && page.next().isEmpty()) {
            boolean all = List.of("--state", "--name", "--before").stream().noneMatch(session.arguments()::has);
            session.notes().say(all ? "no jobs; hand one in with: muster run FILE" : "no such jobs");
            return ExitCode.DONE;
        }
        if (!page.items().isEmpty()) {
            JobTable.write(page.items(), session.api().time(), session.screen().columns(), session.out()::line);
        }
        if (page.next().isPresent()) {
            session.notes().say("more with: muster list --before " + page.next().get());
        }
        return ExitCode.DONE;
    }
}
