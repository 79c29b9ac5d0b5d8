package dev.muster.cli.submit;

import dev.muster.api.FieldProblem;
import dev.muster.api.JobRequest;
import dev.muster.api.Needs;
import dev.muster.cli.archive.CodeArchive;
import dev.muster.cli.archive.CodeFolder;
import dev.muster.cli.arguments.Nearest;
import dev.muster.cli.base.Failure;
import dev.muster.cli.base.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gets what the service needs from this machine. Only what the job text itself names is handed out, so that a service cannot ask for
 * another file or another variable of whoever submits to it.
 */
final class Supplies {
    private final JobRequest request;
    private final Needs needs;
    private final Surroundings surroundings;
    private final Path folder;
    private final List<FieldProblem> problems = new ArrayList<>();

    Supplies(JobRequest request, Needs needs, Surroundings surroundings) {
        this.request = request;
        this.needs = needs;
        this.surroundings = surroundings;
        this.folder = Path.of(request.folder());
    }

    Optional<CodeArchive> code() {
        if (needs.code().isEmpty() || !isNamed("code", needs.code().get())) {
            return Optional.empty();
        }
        Path code = folder.resolve(needs.code().get()).normalize();
        if (!Files.isDirectory(code)) {
            problem("code", code + " is no folder", "name the folder of the training code, relative to the job file");
            return Optional.empty();
        }
        try {
            CodeArchive archive = CodeFolder.look(code, surroundings.home());
            needs.scripts().stream()
                    .filter(script -> !archive.holds(script))
                    .forEach(script -> noScript(script, archive));
            return Optional.of(archive);
        } catch (Failure unsendable) {
            if (unsendable.problem().problems().isEmpty()) {
                problem("code", unsendable.getMessage(), "see that only what training needs is sent");
            }
            problems.addAll(unsendable.problem().problems());
            return Optional.empty();
        }
    }

    private void noScript(String script, CodeArchive archive) {
        problem(
                "command",
                script + " is not in the code folder " + needs.code().get() + " as it is sent",
                Nearest.to(script, archive.names())
                        .map(near -> "did you mean " + near + "?")
                        .orElse("write the path from that folder, and see that .musterignore does not name it"));
    }

    /** Contents by the names that the text uses. */
    Map<String, String> requirements() {
        Map<String, String> contents = new LinkedHashMap<>();
        for (String name : needs.requirements()) {
            String field = "environment.python.requirements";
            if (isNamed(field, name)) {
                try {
                    contents.put(name, Files.readString(folder.resolve(name)));
                } catch (IOException | InvalidPathException unreadable) {
                    problem(
                            field,
                            folder.resolve(name) + " cannot be read",
                            near(name).orElse("name a requirements file, relative to the job file"));
                }
            }
        }
        return contents;
    }

    private Optional<String> near(String name) {
        try {
            return Beside.of(folder, name).map(near -> "did you mean " + near + "?");
        } catch (InvalidPathException noPath) {
            return Optional.empty();
        }
    }

    /** Values by the variables that the processes get. */
    Map<String, String> secrets() {
        Map<String, String> values = new LinkedHashMap<>();
        needs.secrets().forEach((target, source) -> {
            String field = "secrets." + target;
            if (isNamed(field, source)) {
                String value = surroundings.variables().get(source);
                if (value == null) {
                    problem(field, "the variable " + source + " is not set here", "export " + source + "=... first");
                } else {
                    values.put(target, value);
                }
            }
        });
        return values;
    }

    /** Refuses when anything was missing, with all of it. */
    void check() {
        if (!problems.isEmpty()) {
            throw Failure.badInput("what the job needs is not here", problems);
        }
    }

    /** Everything that is missing, where nothing is sent because the text is wrong besides. */
    List<FieldProblem> missing() {
        code();
        requirements();
        secrets();
        return List.copyOf(problems);
    }

    private boolean isNamed(String field, String name) {
        boolean named = request.text().contains(name) || request.sets().stream().anyMatch(set -> set.contains(name));
        if (!named) {
            problem(
                    field,
                    "the service asks for " + name + ", which the job text does not name",
                    "is this your service?");
        }
        return named;
    }

    private void problem(String field, String message, String suggestion) {
        problems.add(new FieldProblem(field, message, Optional.of(suggestion)));
    }
}
