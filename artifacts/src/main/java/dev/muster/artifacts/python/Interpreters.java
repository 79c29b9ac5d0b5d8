package dev.muster.artifacts.python;

import dev.muster.model.Origin;
import dev.muster.spi.Clock;
import dev.muster.spi.PythonEnvironments.EnvironmentException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds the Python a job means and asks it who it is. The answer is kept as long as the program's file stays the same. A shim, as pyenv
 * and asdf put on PATH, is asked which Python it stands for, in the folder of the job file, and that one is used: within a job the same
 * Python runs whatever its folder.
 */
final class Interpreters {
    private static final Duration SHIM_MAY_CHANGE = Duration.ofSeconds(10);
    private static final List<String> ASK = List.of(
            "-I",
            "-c",
            "import sys, platform; print(sys.executable); print(sys.implementation.cache_tag, platform.python_version() + sys.abiflags,"
                    + " platform.machine()); print(sys.prefix if sys.prefix != sys.base_prefix else '')");

    private record Answer(String executable, String version, Optional<Path> environment) {}

    private record Asked(FileTime modified, long size, Answer answer) {}

    private record Shim(Instant at, Path program) {}

    private final BuildVariables variables;
    private final Clock clock;
    private final Map<Path, Asked> asked = new ConcurrentHashMap<>();
    private final Map<List<String>, Shim> shims = new ConcurrentHashMap<>();

    Interpreters(BuildVariables variables, Clock clock) {
        this.variables = variables;
        this.clock = clock;
    }

    /** The Python that is meant by a name on the submitter's PATH or an absolute path. */
    FoundPython find(String interpreter, Origin origin) throws EnvironmentException {
        Path program = behindShim(program(interpreter, origin), origin);
        try {
            Path real = program.toRealPath();
            Answer answer = answer(program, real, origin);
            return new FoundPython(program, real, answer.version(), answer.environment());
        } catch (IOException gone) {
            throw new EnvironmentException("the Python at " + program + " cannot be run: " + gone.getMessage(), gone);
        }
    }

    /** The program itself, or the one a shim stands for. Any file that does not look like a shim is left as it is. */
    Path behindShim(Path program, Origin origin) throws EnvironmentException {
        if (!isShim(program)) {
            return program;
        }
        List<String> question = List.of(program.toString(), origin.folder(), origin.path());
        Shim known = shims.get(question);
        Instant now = clock.now();
        if (known == null || Duration.between(known.at(), now).compareTo(SHIM_MAY_CHANGE) >= 0) {
            known = new Shim(now, Path.of(ask(program, origin).executable()));
            shims.put(question, known);
        }
        return known.program();
    }

    private static Path program(String interpreter, Origin origin) throws EnvironmentException {
        Path given = path(interpreter);
        if (given.isAbsolute()) {
            if (!Files.isExecutable(given) || Files.isDirectory(given)) {
                throw new EnvironmentException("environment.python.interpreter: there is no program " + interpreter
                        + "; give the path of a Python 3");
            }
            return given;
        }
        if (given.getNameCount() != 1) {
            throw new EnvironmentException("environment.python.interpreter: " + interpreter
                    + " is neither a name on PATH nor an absolute path; write one of them");
        }
        for (String folder : origin.path().split(":")) {
            if (folder.startsWith("/")) {
                Path program = path(folder).resolve(given);
                if (Files.isExecutable(program) && !Files.isDirectory(program)) {
                    return program;
                }
            }
        }
        throw new EnvironmentException("environment.python.interpreter: there is no " + interpreter
                + " on the PATH of the submission (" + origin.path() + "); install it or name another");
    }

    private static Path path(String text) throws EnvironmentException {
        try {
            return Path.of(text);
        } catch (InvalidPathException unnameable) {
            throw new EnvironmentException(text + " cannot be the path of a Python", unnameable);
        }
    }

    private static boolean isShim(Path program) {
        Path folder = program.getParent();
        if (folder == null || !folder.endsWith("shims")) {
            return false;
        }
        try (InputStream start = Files.newInputStream(program)) {
            return start.read() == '#' && start.read() == '!';
        } catch (IOException unreadable) {
            return false;
        }
    }

    private Answer answer(Path program, Path real, Origin origin) throws IOException, EnvironmentException {
        FileTime modified = Files.getLastModifiedTime(real);
        long size = Files.size(real);
        Asked known = asked.get(program);
        if (known == null || !known.modified().equals(modified) || known.size() != size) {
            known = new Asked(modified, size, ask(program, origin));
            asked.put(program, known);
        }
        return known.answer();
    }

    private Answer ask(Path program, Origin origin) throws EnvironmentException {
        Program.Result result = new Program(program, ASK)
                .in(Path.of(origin.folder()))
                .with(variables.of(origin))
                .run();
        List<String> lines = result.lines();
        if (result.exitCode() != 0 || lines.size() < 2 || !lines.get(0).startsWith("/")) {
            throw new EnvironmentException(
                    "the Python at " + program + " does not say its version; it ended with " + result.exitCode()
                            + result.lastLine().map(line -> ": " + line).orElse(""));
        }
        return new Answer(
                lines.get(0), lines.get(1), lines.size() > 2 ? Optional.of(Path.of(lines.get(2))) : Optional.empty());
    }
}
