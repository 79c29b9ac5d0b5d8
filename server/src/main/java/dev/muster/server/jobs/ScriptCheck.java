package dev.muster.server.jobs;

import dev.muster.model.BackendKind;
import dev.muster.model.Command;
import dev.muster.model.JobSpec;
import dev.muster.model.Problem;
import dev.muster.model.RoleSpec;
import dev.muster.spi.CodeStore;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A Python script that will not be there when a process starts. Told only where that is certain: the command is a list, its script is named by a
 * relative path, and the working folder holds the code snapshot and nothing else when the process begins (ADR 28).
 */
final class ScriptCheck {
    /** Options of Python that take no value and do not change what the script is. */
    private static final Set<String> OPTIONS =
            Set.of("-u", "-B", "-O", "-OO", "-E", "-s", "-S", "-I", "-P", "-v", "-q", "-b", "-bb", "-d");

    /** What starts the program named behind it; with options of its own before that, nothing is certain. */
    private static final Set<String> LAUNCHERS = Set.of("mpirun", "mpiexec", "prterun");

    private ScriptCheck() {}

    /** @param digest of the job's code; empty when it has none */
    static List<Problem> of(JobSpec spec, Optional<String> digest, CodeStore code) {
        return scripts(spec).stream()
                .filter(script ->
                        digest.filter(snapshot -> code.holds(snapshot, script)).isEmpty())
                .map(script -> problem(spec, script))
                .toList();
    }

    /** Paths of scripts that have to be in the code folder, each once. */
    static List<String> scripts(JobSpec spec) {
        if (spec.backend() != BackendKind.LOCAL) {
            return List.of();
        }
        return spec.roles().values().stream()
                .map(RoleSpec::command)
                .flatMap(command -> script(command).stream())
                .distinct()
                .toList();
    }

    private static Problem problem(JobSpec spec, String script) {
        return spec.code().isPresent()
                ? Problem.of(
                        "command",
                        script + " is not in the code folder " + spec.code().get() + " as it was sent",
                        "write the path from that folder, and see that .musterignore does not name it")
                : Problem.of(
                        "command",
                        script + " will not be there: without code the working folder is empty",
                        "code: . sends the folder of the job file");
    }

    /** The script that Python is to run, by itself or as the first word of a launcher, when it is named by a relative path. */
    private static Optional<String> script(Command command) {
        if (!(command instanceof Command.Exec program)) {
            return Optional.empty();
        }
        int from = LAUNCHERS.contains(program.argv().getFirst()) ? 1 : 0;
        List<String> words = program.argv().subList(from, program.argv().size());
        if (words.isEmpty() || !new Command.Exec(words).isPython()) {
            return Optional.empty();
        }
        return words.stream()
                .skip(1)
                .filter(word -> !OPTIONS.contains(word))
                .findFirst()
                .filter(word -> word.endsWith(".py") && !word.startsWith("-") && !word.startsWith("/"));
    }
}
