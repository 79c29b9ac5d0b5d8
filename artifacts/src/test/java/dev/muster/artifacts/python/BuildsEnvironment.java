package dev.muster.artifacts.python;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** A service of its own that builds an environment, so that it can be killed in the middle. */
final class BuildsEnvironment {
    private BuildsEnvironment() {}

    public static void main(String[] arguments) throws Exception {
        Path python = Path.of(arguments[1]);
        VirtualEnvironments environments = new VirtualEnvironments(
                Path.of(arguments[0]), () -> Instant.EPOCH, TestPython.variables(Path.of(arguments[2])), Runnable::run);
        environments.prepare(
                TestPython.with(Optional.of("r.txt"), Optional.of(python.toString()), false),
                TestPython.origin(python, Map.of("r.txt", Files.readString(Path.of(arguments[3])))),
                System.out::println);
    }
}
