package dev.muster.cli.screen;

import dev.muster.api.JobDocument;
import dev.muster.formats.json.JsonFields;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What to do about failures that newcomers meet first, from what the process said last. It explains; it is no cause. */
final class FailureHint {
    private static final Pattern NO_MODULE =
            Pattern.compile("ModuleNotFoundError: No module named '([A-Za-z0-9_]+)[A-Za-z0-9_.]*'.*");

    private FailureHint() {}

    /**
     * A sentence, when there is one to say.
     *
     * @param role of the process that failed
     */
    static Optional<String> of(JobDocument job, String role, List<String> lastLines) {
        for (String line : lastLines.reversed()) {
            Matcher module = NO_MODULE.matcher(line.strip());
            if (module.matches()) {
                return Optional.of("hint: " + missing(module.group(1), requirements(job.spec(), role)));
            }
        }
        return Optional.empty();
    }

    private static String missing(String module, Optional<String> requirements) {
        return requirements.isPresent()
                ? "add the package that has '" + module + "' to " + requirements.get()
                : "name the package that has '" + module
                        + "' in a requirements file, and that in the job: environment: {python: {requirements: requirements.txt}};"
                        + " or, for packages of the system, {python: {interpreter: /usr/bin/python3, systemPackages: true}}";
    }

    private static Optional<String> requirements(JsonFields spec, String role) {
        return object(spec, "roles")
                .flatMap(roles -> object(roles, role))
                .flatMap(own -> object(own, "environment"))
                .or(() -> object(spec, "environment"))
                .flatMap(environment -> object(environment, "python"))
                .flatMap(python -> python.optionalText("requirements"));
    }

    private static Optional<JsonFields> object(JsonFields fields, String name) {
        return !(fields.get(name) instanceof JsonFields inside) ? Optional.empty() : Optional.of(inside);
    }
}
