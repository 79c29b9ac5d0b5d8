package dev.muster.artifacts.python;

import dev.muster.artifacts.files.Durable;
import dev.muster.artifacts.files.Lease;
import dev.muster.artifacts.files.Sha256;
import dev.muster.model.EnvironmentSpec;
import dev.muster.model.Origin;
import dev.muster.spi.Clock;
import dev.muster.spi.Interpreter;
import dev.muster.spi.PythonEnvironments;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Python environments in {@code MUSTER_HOME/envs/KEY}. The key is a digest over the interpreter's file and version, all requirements and
 * whether system packages are seen, so it is known before anything is built.
 *
 * <p>An environment is built where it stays, under a lock, and counts only once its marker is there; a half-built one is removed and
 * built anew. {@code KEY.log} beside it holds everything venv and pip said.
 *
 * <p>Without a {@code python} block, or with one that asks for nothing but system packages, the submitter's Python is used as it is, through
 * a folder of two scripts named {@code python} and {@code python3}.
 */
public final class VirtualEnvironments implements PythonEnvironments {
    private static final int KEY_LENGTH = 24;

    private final Path folder;
    private final Clock clock;
    private final BuildVariables variables;
    private final Interpreters interpreters;
    private final Executor background;

    /**
     * Environments below MUSTER_HOME.
     *
     * @param serviceVariables the service's own variables: HOME, proxies and PIP_ settings come from here
     * @param background       waits for the disk after a build; may be slow
     */
    public VirtualEnvironments(Path home, Clock clock, Map<String, String> serviceVariables, Executor background) {
        this.background = background;
        this.clock = clock;
        this.folder = home.resolve("envs");
        this.variables = new BuildVariables(serviceVariables);
        this.interpreters = new Interpreters(variables, clock);
    }

    @Override
    public Interpreter locate(EnvironmentSpec environment, Origin origin) throws EnvironmentException {
        return wanted(environment, origin).map(Wanted::interpreter).orElse(Interpreter.NONE);
    }

    @Override
    public Interpreter prepare(EnvironmentSpec environment, Origin origin, Consumer<String> progress)
            throws EnvironmentException {
        Optional<Wanted> wanted = wanted(environment, origin);
        if (wanted.isEmpty()) {
            return Interpreter.NONE;
        }
        switch (wanted.get()) {
            case AsItIs asItIs -> make(asItIs.wrapper());
            case Built built -> build(built, origin, progress);
        }
        return wanted.get().interpreter();
    }

    /** What a process is to be given. */
    private sealed interface Wanted {
        Interpreter interpreter();
    }

    private record AsItIs(Wrapper wrapper) implements Wanted {
        @Override
        public Interpreter interpreter() {
            return new Interpreter(
                    Optional.of(wrapper.python()), List.of(wrapper.folder().toString()), Map.of());
        }
    }

    private record Built(Path folder, FoundPython python, Optional<Requirements> requirements, boolean systemPackages)
            implements Wanted {
        @Override
        public Interpreter interpreter() {
            Path programs = folder.resolve("bin");
            return new Interpreter(
                    Optional.of(programs.resolve("python").toString()),
                    List.of(programs.toString()),
                    Map.of("VIRTUAL_ENV", folder.toString()));
        }
    }

    /** Empty when the job names no Python and the submitter has none. */
    private Optional<Wanted> wanted(EnvironmentSpec environment, Origin origin) throws EnvironmentException {
        if (environment.python().isEmpty()) {
            return origin.python().isPresent()
                    ? Optional.of(asItIs(
                            interpreters.behindShim(Path.of(origin.python().get()), origin)))
                    : Optional.empty();
        }
        EnvironmentSpec.Python python = environment.python().get();
        String interpreter = python.interpreter().or(origin::python).orElse("python3");
        Optional<Requirements> requirements = Requirements.of(python.requirements(), origin);
        FoundPython found = interpreters.find(interpreter, origin);
        if (requirements.isEmpty() && python.systemPackages()) {
            return Optional.of(asItIs(found.program()));
        }
        String key = key(found, requirements, python.systemPackages());
        return Optional.of(new Built(folder.resolve(key), found, requirements, python.systemPackages()));
    }

    private AsItIs asItIs(Path program) {
        String key = "python-" + Sha256.of(program.toString()).substring(0, KEY_LENGTH);
        return new AsItIs(new Wrapper(folder.resolve(key).resolve("bin"), program.toString()));
    }

    private static String key(FoundPython python, Optional<Requirements> requirements, boolean systemPackages) {
        String parent =
                systemPackages ? python.environment().map(Path::toString).orElse("") : "";
        return Sha256.of(String.join(
                        "\n",
                        "muster-environment-1",
                        python.real().toString(),
                        python.version(),
                        parent,
                        Boolean.toString(systemPackages),
                        requirements.map(Requirements::canonical).orElse("")))
                .substring(0, KEY_LENGTH);
    }

    private static void make(Wrapper wrapper) throws EnvironmentException {
        try {
            wrapper.make();
        } catch (IOException failed) {
            throw new EnvironmentException(
                    "the folder " + wrapper.folder() + " could not be made: " + failed.getMessage(), failed);
        }
    }

    private void build(Built built, Origin origin, Consumer<String> progress) throws EnvironmentException {
        CompleteMarker marker = new CompleteMarker(built.folder());
        // Also for one that is there: it is not removed between this look and its use.
        try (Lease _ = lease(built.folder().resolveSibling(built.folder().getFileName() + ".lock"), progress)) {
            if (marker.isSet()) {
                marker.used(clock.now());
                return;
            }
            Path log = built.folder().resolveSibling(built.folder().getFileName() + ".log");
            new EnvironmentBuild(built.folder(), log, built.python(), variables.of(origin), progress)
                    .build(built.requirements(), built.systemPackages());
            marker.set();
            marker.used(clock.now());
            Durable.sync(folder);
            background.execute(marker::bringToDisk);
            progress.accept("the environment is ready");
        } catch (IOException failed) {
            throw new EnvironmentException(
                    Thread.currentThread().isInterrupted()
                            ? "stopped while the Python environment was waited for"
                            : "the Python environment " + built.folder() + " could not be made: " + failed.getMessage(),
                    failed);
        }
    }

    @Override
    public void removeUnused(Collection<Use> inUse) throws IOException {
        Set<Path> used = new HashSet<>();
        for (Use use : inUse) {
            try {
                if (wanted(use.environment(), use.origin()).orElse(null) instanceof Built built) {
                    used.add(built.folder());
                }
            } catch (EnvironmentException unknown) {
                return; // which environment is in use cannot be told
            }
        }
        new UnusedFolders(folder, clock).remove(used);
    }

    private static Lease lease(Path lockFile, Consumer<String> progress) throws IOException {
        Optional<Lease> free = Lease.takeIfFree(lockFile);
        if (free.isPresent()) {
            return free.get();
        }
        progress.accept("waiting for another job that makes the same environment");
        return Lease.take(lockFile);
    }
}
