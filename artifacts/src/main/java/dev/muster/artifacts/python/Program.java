package dev.muster.artifacts.python;

import dev.muster.spi.PythonEnvironments.EnvironmentException;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Runs one program to its end and reads what it says. An interrupt ends the program and everything it started. */
final class Program {
    private static final int KEPT_LINES = 2_000;

    /**
     * How it ended.
     *
     * @param exitCode its exit code
     * @param lines    the last lines of its output and errors together
     */
    record Result(int exitCode, List<String> lines) {
        Optional<String> lastLine() {
            return lines.reversed().stream()
                    .filter(line -> !line.isBlank())
                    .map(String::strip)
                    .findFirst();
        }
    }

    private final List<String> command = new ArrayList<>();
    private Path folder = Path.of("/");
    private Map<String, String> variables = Map.of();
    private Consumer<String> listener = line -> {};

    Program(Path program, List<String> arguments) {
        command.add(program.toString());
        command.addAll(arguments);
    }

    /** Where it runs; the root folder when that is no folder. */
    Program in(Path working) {
        folder = Files.isDirectory(working) ? working : folder;
        return this;
    }

    /** All its variables. */
    Program with(Map<String, String> all) {
        variables = all;
        return this;
    }

    /** Is told each line as it comes. */
    Program telling(Consumer<String> each) {
        listener = each;
        return this;
    }

    Result run() throws EnvironmentException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"));
        builder.environment().clear();
        builder.environment().putAll(variables);
        Process process;
        try {
            process = builder.start();
        } catch (IOException cannot) {
            throw new EnvironmentException(command.getFirst() + " cannot be run: " + cannot.getMessage(), cannot);
        }
        List<String> lines = new ArrayList<>();
        Thread reader = Thread.ofVirtual().start(() -> read(process, lines));
        try {
            int code = process.waitFor();
            reader.join();
            return new Result(code, List.copyOf(lines));
        } catch (InterruptedException stopped) {
            end(process);
            Thread.currentThread().interrupt();
            throw new EnvironmentException("stopped while " + command.getFirst() + " was running", stopped);
        }
    }

    private void read(Process process, List<String> lines) {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                listener.accept(line);
                lines.add(line);
                if (lines.size() > KEPT_LINES) {
                    lines.removeFirst();
                }
            }
        } catch (IOException endedWithIt) {
            return;
        }
    }

    private static void end(Process process) {
        try (Stream<ProcessHandle> children = process.descendants()) {
            children.toList().forEach(ProcessHandle::destroyForcibly);
        }
        process.destroyForcibly();
        process.onExit().join();
    }
}
