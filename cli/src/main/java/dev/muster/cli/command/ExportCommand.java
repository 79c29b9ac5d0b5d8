package dev.muster.cli.command;

import dev.muster.api.ManifestDocument;
import dev.muster.cli.arguments.Nearest;
import dev.muster.cli.arguments.Option;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.base.Failure;
import dev.muster.formats.json.JsonFields;
import java.util.List;

/** {@code export FILE --as KIND}: the job as a file that people apply themselves. */
public final class ExportCommand implements Command {
    private static final List<String> KINDS = List.of("tfjob", "pytorchjob", "mpijob", "pods");
    private static final String TEXT = "tfjob, pytorchjob, mpijob or pods";

    @Override
    public Syntax syntax() {
        return Syntax.of("export", "write a job as YAML that kubectl apply takes; nothing is stored or started")
                .operand("FILE", SubmitCommand.FILE)
                .option(Option.value("--as", "KIND", TEXT))
                .option(Options.SET);
    }

    @Override
    public ExitCode run(Session session) {
        String as = session.arguments()
                .value("--as")
                .orElseThrow(() -> Failure.badField("--as", "says what to write the job as", "--as " + TEXT));
        if (!KINDS.contains(as)) {
            throw Failure.badField(
                    "--as",
                    "is " + TEXT + ", not " + as,
                    "--as " + Nearest.to(as, KINDS).orElse("pods"));
        }
        JsonFields manifest = SubmitCommand.submission(session)
                .export(SubmitCommand.file(session), Options.sets(session.arguments()), as);
        if (session.json()) {
            session.write(manifest);
        } else {
            session.out().print(ManifestDocument.of(manifest).yaml());
        }
        return ExitCode.DONE;
    }
}
