package dev.muster.cli.command;

import dev.muster.api.ModelDocument;
import dev.muster.api.Page;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.format.Digests;
import dev.muster.cli.format.Durations;
import dev.muster.cli.format.Table;
import dev.muster.formats.json.JsonFields;

/** {@code models [NAME]}: registered versions, newest first. */
public final class ModelsCommand implements Command {
    @Override
    public Syntax syntax() {
        return Syntax.of("models", "registered models, newest first")
                .optionalOperand("NAME", "only versions of this model");
    }

    @Override
    public ExitCode run(Session session) {
        JsonFields answer = session.api().models(session.arguments().optionalOperand(0));
        if (session.json()) {
            session.write(answer);
            return ExitCode.DONE;
        }
        Table table = new Table().column("MODEL").column("DIGEST").column("JOB").column("CREATED");
        for (ModelDocument model : Page.of(answer, ModelDocument::of).items()) {
            String created = session.api()
                    .time()
                    .since(model.createdAt())
                    .map(age -> Durations.age(age) + " ago")
                    .orElse(model.createdAt().toString());
            table.row(model.name() + "@" + model.version(), Digests.brief(model.digest()), model.job(), created);
        }
        if (table.isEmpty()) {
            session.notes().say("no models; a job whose text has `model: {name: ...}` registers one");
        } else {
            table.writeTo(session.screen().columns(), session.out()::line);
        }
        return ExitCode.DONE;
    }
}
