package dev.muster.cli.command;

import dev.muster.api.FieldProblem;
import dev.muster.cli.arguments.Nearest;
import dev.muster.cli.arguments.Option;
import dev.muster.cli.arguments.Syntax;
import dev.muster.cli.base.ExitCode;
import dev.muster.cli.base.Failure;
import dev.muster.cli.screen.ShellWords;
import dev.muster.cli.template.JobFolder;
import dev.muster.cli.template.Template;
import dev.muster.formats.json.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** {@code init [DIR]}: a job folder that runs as it is, to begin with. */
public final class InitCommand implements Command {
    private static final String STRATEGY = "--strategy";
    private static final String FRAMEWORK = "--framework";

    @Override
    public Syntax syntax() {
        return Syntax.of(
                        "init",
                        "write a job folder that runs as it is: job text, script, what it needs, a page about it")
                .optionalOperand("DIR", "folder to write to, made when it is not there; the working folder unless told")
                .option(Option.value(STRATEGY, "NAME", "how the training is split"))
                .option(Option.value(FRAMEWORK, "NAME", "what it is written with; one of the two may do"))
                .detail("Strategies with their frameworks: " + pairs(Template.ALL) + ".")
                .detail("No file is ever overwritten. The job is called as the folder, where that can be a name.");
    }

    @Override
    public ExitCode run(Session session) {
        Template template = template(
                session.arguments().value(STRATEGY), session.arguments().value(FRAMEWORK));
        String told = session.arguments().optionalOperand(0).orElse(".");
        Path folder = session.surroundings().folder().resolve(told).normalize();
        List<String> files = JobFolder.write(template, folder);
        if (session.json()) {
            session.write(Json.object()
                    .put("path", folder.toString())
                    .put("strategy", template.strategy())
                    .put("framework", template.framework())
                    .put("files", Json.ofTexts(files))
                    .build());
            return ExitCode.DONE;
        }
        String job = told.equals(".")
                ? "job.yaml"
                : Path.of(told).resolve("job.yaml").toString();
        session.out()
                .line(template.strategy() + " with " + template.framework() + " in " + folder + ": "
                        + String.join(", ", files));
        String shown = ShellWords.quote(job);
        if (files.contains("make-environment")) {
            session.say("first: what it runs with is made once, by make-environment; README.md there says how");
        }
        session.say("next: muster plan " + shown + "    muster run " + shown);
        return ExitCode.DONE;
    }

    private static Template template(Optional<String> strategy, Optional<String> framework) {
        List<Template> fitting = Template.fitting(strategy, framework);
        if (fitting.size() == 1) {
            return fitting.getFirst();
        }
        if (fitting.isEmpty()) {
            String asked = strategy.map(name -> STRATEGY + " " + name + " ").orElse("")
                    + framework.map(name -> FRAMEWORK + " " + name + " ").orElse("");
            Optional<String> near = near(STRATEGY, strategy, Template::strategy)
                    .or(() -> near(FRAMEWORK, framework, Template::framework));
            throw wrong(
                    asked.strip(),
                    "is not there",
                    near.map(name -> "did you mean " + name + "? ").orElse(""),
                    Template.ALL);
        }
        boolean sameStrategy =
                fitting.stream().map(Template::strategy).distinct().count() == 1;
        throw wrong(sameStrategy ? FRAMEWORK : STRATEGY, "has to be told", "", fitting);
    }

    /** The option with the name that was probably meant; empty where the name is known, or like none. */
    private static Optional<String> near(String option, Optional<String> typed, Function<Template, String> name) {
        List<String> known = Template.ALL.stream().map(name).distinct().toList();
        return typed.filter(text -> !known.contains(text))
                .flatMap(text -> Nearest.to(text, known))
                .map(found -> option + " " + found);
    }

    private static Failure wrong(String field, String message, String near, List<Template> known) {
        return Failure.badInput(
                field + " " + message,
                List.of(new FieldProblem(field, message, Optional.of(near + "there are: " + pairs(known)))));
    }

    /** Such as {@code data-parallel (tensorflow, pytorch), pipeline (pytorch)}. */
    private static String pairs(List<Template> templates) {
        return templates.stream()
                .map(Template::strategy)
                .distinct()
                .map(strategy -> strategy
                        + templates.stream()
                                .filter(one -> one.strategy().equals(strategy))
                                .map(Template::framework)
                                .collect(Collectors.joining(", ", " (", ")")))
                .collect(Collectors.joining(", "));
    }
}
