package dev.muster.cli.command;

import dev.muster.api.EvidenceDocument;
import dev.muster.api.Page;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.base.Failure;
import dev.muster.cli.base.Reasons;
import dev.muster.cli.format.Counts;
import dev.muster.formats.json.JsonFields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** {@code evidence ID [DIR]}: why attempts that stalled did not go on; with a folder all files, else the summaries. */
public final class EvidenceCommand implements Command {
    private static final String SUMMARY = "summary.txt";

    @Override
    public Syntax syntax() {
        return Syntax.of("evidence", "why a job that stalled did not go on")
                .operand("ID", Options.JOB)
                .optionalOperand("DIR", "folder for all files, with stacks; without it the summaries are shown");
    }

    @Override
    public ExitCode run(Session session) {
        JsonFields answer = session.api().evidence(session.arguments().operand(0));
        List<EvidenceDocument> files = Page.of(answer, EvidenceDocument::of).items();
        if (session.arguments().operands().size() > 1) {
            Path folder = session.surroundings()
                    .folder()
                    .resolve(session.arguments().operand(1))
                    .normalize();
            files.forEach(file -> save(folder, file));
            if (!session.json()) {
                session.out().line(Counts.of(files.size(), "file is", "files are") + " in " + folder);
            }
        }
        if (session.json()) {
            session.write(answer);
        } else if (files.isEmpty()) {
            session.notes().say("no evidence: no attempt has stalled, or its backend could not look");
        } else if (session.arguments().operands().size() < 2) {
            files.stream().filter(file -> file.file().equals(SUMMARY)).forEach(file -> show(session, file));
        }
        return ExitCode.DONE;
    }

    private static void show(Session session, EvidenceDocument file) {
        session.out().line(file.process() + ", attempt " + file.attempt());
        file.text().lines().forEach(line -> session.out().line("  " + line));
    }

    private static void save(Path folder, EvidenceDocument file) {
        Path target =
                folder.resolve(file.process()).resolve("a" + file.attempt()).resolve(file.file());
        if (!target.normalize().startsWith(folder)) {
            throw Failure.refused("the service names a file outside " + folder + ": " + file.file());
        }
        try {
            Files.createDirectories(target.getParent());
            Files.writeString(target, file.text());
        } catch (IOException failed) {
            throw Failure.badField(
                    "DIR", target + " cannot be written: " + Reasons.of(failed), "name a folder that can be written");
        }
    }
}
