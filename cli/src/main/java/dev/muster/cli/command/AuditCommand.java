package dev.muster.cli.command;

import dev.muster.api.AuditDocument;
import dev.muster.api.Page;
import dev.muster.cli.arguments.Option;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.client.Query;
import dev.muster.cli.format.Table;
import dev.muster.formats.json.JsonFields;

/** {@code audit}: who changed what, newest first. */
public final class AuditCommand implements Command {
    private static final int MOST = 1000;

    @Override
    public Syntax syntax() {
        return Syntax.of("audit", "who changed what, newest first; needs a token of scope admin")
                .option(Option.value("-n --limit", "N", "at most so many (default 100)"))
                .option(Option.value("--before", "NEXT", "what the page before gave as next"));
    }

    @Override
    public ExitCode run(Session session) {
        Query query = new Query()
                .put(
                        "limit",
                        Options.number(session.arguments(), "--limit", MOST).map(number -> Integer.toString(number)))
                .put("before", session.arguments().value("--before"));
        JsonFields answer = session.api().audit(query);
        if (session.json()) {
            session.write(answer);
            return ExitCode.DONE;
        }
        Page<AuditDocument> page = Page.of(answer, AuditDocument::of);
        Table table = new Table()
                .column("AT")
                .column("TOKEN")
                .column("USER")
                .column("OUTCOME")
                .column("ACTION")
                .flexibleColumn("SUBJECT");
        for (AuditDocument line : page.items()) {
            table.row(line.at().toString(), line.token(), line.user(), line.outcome(), line.action(), line.subject());
        }
        if (table.isEmpty()) {
            session.notes().say("nothing was changed");
        } else {
            table.writeTo(session.screen().columns(), session.out()::line);
        }
        page.next().ifPresent(next -> session.notes().say("more with: muster audit --before " + next));
        return ExitCode.DONE;
    }
}
