package dev.muster.artifacts.python;

import dev.muster.artifacts.files.DiskSpace;
import dev.muster.artifacts.files.Tree;
import dev.muster.formats.files.Folders;
import dev.muster.model.Amount;
import dev.muster.spi.PythonEnvironments.EnvironmentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Makes one virtual environment where it is to stay, since one that is moved no longer works. The caller holds its lock. */
final class EnvironmentBuild {
    private final Path folder;
    private final Path log;
    private final FoundPython python;
    private final Map<String, String> variables;
    private final Consumer<String> progress;

    /**
     * @param folder    where the environment is to be; whatever is there is removed
     * @param log       takes everything venv and pip say
     * @param variables under which they run
     */
    EnvironmentBuild(
            Path folder, Path log, FoundPython python, Map<String, String> variables, Consumer<String> progress) {
        this.folder = folder;
        this.log = log;
        this.python = python;
        this.variables = new HashMap<>(variables);
        this.variables.put(Orphans.MARK, folder.toString());
        this.progress = progress;
    }

    /** Builds it; after a failure or an interrupt nothing but the log is left. */
    void build(Optional<Requirements> requirements, boolean systemPackages) throws EnvironmentException {
        boolean done = false;
        try {
            Orphans.end(folder);
            Folders.delete(folder);
            Files.deleteIfExists(log);
            boolean hasPip = make(systemPackages);
            if (systemPackages && python.environment().isPresent()) {
                seeParent();
            }
            if (requirements.isPresent()) {
                install(requirements.get(), hasPip);
            }
            done = true;
        } catch (IOException failed) {
            throw new EnvironmentException(
                    DiskSpace.isFull(failed)
                            ? full()
                            : "the Python environment " + folder + " could not be made: " + failed.getMessage(),
                    failed);
        } finally {
            if (!done) {
                cleanUp();
            }
        }
    }

    private void cleanUp() {
        boolean interrupted = Thread.interrupted();
        Orphans.end(folder);
        Tree.deleteQuietly(folder);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether the environment got a pip of its own. */
    private boolean make(boolean systemPackages) throws EnvironmentException, IOException {
        progress.accept("making an environment with Python " + python.number());
        List<String> arguments = new ArrayList<>(List.of("-m", "venv"));
        if (systemPackages) {
            arguments.add("--system-site-packages");
        }
        Program.Result made = run(python.program(), with(arguments, folder.toString()));
        if (made.exitCode() == 0) {
            return true;
        }
        String said = String.join("\n", made.lines());
        if (DiskSpace.saysFull(said)) {
            throw new EnvironmentException(full());
        }
        boolean lacksPip = said.contains("ensurepip");
        if (lacksPip && run(python.program(), List.of("-m", "pip", "--version")).exitCode() == 0) {
            Folders.delete(folder);
            arguments.add("--without-pip");
            if (run(python.program(), with(arguments, folder.toString())).exitCode() == 0) {
                return false;
            }
        }
        if (lacksPip || said.contains("No module named venv")) {
            String minor = python.number().replaceFirst("^(\\d+\\.\\d+).*", "$1");
            throw new EnvironmentException("the Python at " + python.program()
                    + " cannot make virtual environments, its module venv or ensurepip is missing; on Debian and Ubuntu: apt install python"
                    + minor + "-venv");
        }
        throw new EnvironmentException("the Python at " + python.program() + " could not make a virtual environment"
                + made.lastLine().map(line -> ": " + line).orElse("") + " (all it said: " + log + ")");
    }

    /** venv shows the packages of the base Python only; what the user has installed beside it in an environment is added by path. */
    private void seeParent() throws EnvironmentException, IOException {
        Program.Result parent = run(
                python.program(),
                List.of(
                        "-c",
                        "import sysconfig; print(sysconfig.get_path('purelib')); print(sysconfig.get_path('platlib'))"));
        Program.Result own = run(
                folder.resolve("bin/python"), List.of("-c", "import sysconfig; print(sysconfig.get_path('purelib'))"));
        if (parent.exitCode() == 0 && own.exitCode() == 0) {
            List<String> places = parent.lines().stream().distinct().toList();
            Files.write(Path.of(own.lines().getLast()).resolve("muster_interpreter.pth"), places);
        }
    }

    private void install(Requirements requirements, boolean hasPip) throws EnvironmentException, IOException {
        Path files = Files.createDirectories(folder.resolve("muster-requirements"));
        for (Map.Entry<String, String> file : requirements.files().entrySet()) {
            Path target = files.resolve(file.getKey()).normalize();
            if (!target.startsWith(files)) {
                target = files.resolve(target.getFileName());
            }
            Files.createDirectories(target.getParent());
            Files.writeString(target, file.getValue());
        }
        progress.accept("installing " + requirements.main() + " ("
                + Amount.of(requirements.count(), "requirement", "requirements") + ")");
        List<String> arguments = new ArrayList<>(List.of("-m", "pip"));
        Path own = folder.resolve("bin/python");
        if (!hasPip) {
            arguments.addAll(List.of("--python", own.toString()));
        }
        arguments.addAll(List.of(
                "install",
                "--no-input",
                "--disable-pip-version-check",
                "--no-color",
                "--progress-bar",
                "off",
                "--no-warn-script-location",
                "-r",
                files.resolve(requirements.main()).normalize().toString()));
        Program.Result installed = run(hasPip ? own : python.program(), arguments);
        if (installed.exitCode() != 0) {
            String why = PipFailure.sentence(installed.lines());
            throw new EnvironmentException(
                    DiskSpace.saysFull(why)
                            ? full()
                            : "environment.python.requirements: " + why + " (all that pip said: " + log + ")");
        }
    }

    private String full() {
        return "no space left on device while the Python environment " + folder
                + " was made; free some, or move MUSTER_HOME";
    }

    private Program.Result run(Path program, List<String> arguments) throws EnvironmentException, IOException {
        append("$ " + program + " " + String.join(" ", arguments));
        try (InstallWatch installs = new InstallWatch(folder, progress)) {
            return new Program(program, arguments)
                    .in(folder.getParent())
                    .with(variables)
                    .telling(line -> {
                        append(line);
                        PipProgress.of(line).ifPresent(progress);
                        installs.line(line);
                    })
                    .run();
        }
    }

    private void append(String line) {
        try {
            Files.writeString(log, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException diskFull) {
            // The log is for people; the build itself tells whether the disk is full.
            return;
        }
    }

    private static List<String> with(List<String> arguments, String last) {
        List<String> all = new ArrayList<>(arguments);
        all.add(last);
        return all;
    }
}
