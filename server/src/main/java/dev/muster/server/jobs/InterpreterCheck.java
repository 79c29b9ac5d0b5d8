package dev.muster.server.jobs;

import dev.muster.control.Ports;
import dev.muster.model.EnvironmentSpec;
import dev.muster.model.JobSpec;
import dev.muster.model.Origin;
import dev.muster.model.Problem;
import dev.muster.spi.PythonEnvironments.EnvironmentException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is wrong with the Python that a job names, where its processes run with a Python of this machine. Nothing is built. */
final class InterpreterCheck {
    private static final String FIELD = "environment.python";
    private static final Pattern NAMED = Pattern.compile("(environment\\.python(?:\\.\\w+)?): (.*)", Pattern.DOTALL);

    private final Ports ports;

    InterpreterCheck(Ports ports) {
        this.ports = ports;
    }

    List<Problem> of(JobSpec spec, Origin origin) {
        List<Problem> problems = new ArrayList<>();
        if (ports.backends().get(spec.backend()) == null
                || ports.backends().get(spec.backend()).hasOwnPython()) {
            return problems;
        }
        spec.roles().values().stream()
                .map(role -> role.environment().python())
                .flatMap(Optional::stream)
                .map(InterpreterCheck::withoutRequirements)
                .distinct()
                .forEach(environment -> check(environment, origin, problems));
        return problems;
    }

    /** Their files may not have been sent yet. */
    private static EnvironmentSpec withoutRequirements(EnvironmentSpec.Python python) {
        return new EnvironmentSpec(
                Optional.of(
                        new EnvironmentSpec.Python(Optional.empty(), python.interpreter(), python.systemPackages())),
                Optional.empty());
    }

    private void check(EnvironmentSpec environment, Origin origin, List<Problem> problems) {
        try {
            ports.environments().locate(environment, origin);
        } catch (EnvironmentException wrong) {
            problems.add(problem(wrong));
        }
    }

    /** The field that the message begins with, told once. */
    static Problem problem(EnvironmentException wrong) {
        Matcher named = NAMED.matcher(wrong.getMessage());
        return named.matches() ? Problem.of(named.group(1), named.group(2)) : Problem.of(FIELD, wrong.getMessage());
    }
}
