package dev.muster.cli.base;

import dev.muster.api.Called;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What a command sees of the place it runs in.
 *
 * @param variables   environment variables
 * @param folder      the working folder, absolute
 * @param application the installed application
 */
public record Surroundings(Map<String, String> variables, Path folder, Application application) {
    /**
     * The installed application.
     *
     * @param library folder with {@code server.args}, from which a service can be started; empty when this is no installation
     * @param java    the java to start the service with
     * @param build   the same for identical builds
     * @param called  how its reader calls it
     */
    public record Application(Optional<Path> library, Optional<Path> java, String build, Called called) {}

    public Surroundings {
        variables = Map.copyOf(variables);
    }

    /** Those of this JVM. */
    public static Surroundings ofThisProcess() {
        return new Surroundings(
                System.getenv(),
                Path.of("").toAbsolutePath(),
                new Application(
                        property("muster.lib").map(Path::of),
                        property("muster.java").map(Path::of),
                        property("muster.build").orElse("unknown"),
                        property("muster.called").map(Called::new).orElse(Called.MUSTER)));
    }

    private static Optional<String> property(String name) {
        return Optional.ofNullable(System.getProperty(name));
    }

    /** A variable that is set and not empty. */
    public Optional<String> variable(String name) {
        String value = variables.get(name);
        return value == null || value.isEmpty() ? Optional.empty() : Optional.of(value);
    }

    /** MUSTER_HOME, absolute: where the embedded service keeps its state. */
    public Path home() {
        Optional<String> told = variable("MUSTER_HOME");
        if (told.isPresent()) {
            return folder.resolve(told.get()).normalize();
        }
        String user = variable("HOME").orElseGet(() -> System.getProperty("user.home", "/"));
        return folder.resolve(user).resolve(".muster").normalize();
    }

    /** The first executable file of this name on PATH, absolute. */
    public Optional<Path> program(String name) {
        for (String part : variable("PATH").orElse("").split(File.pathSeparator, -1)) {
            Path file = folder.resolve(part).resolve(name).normalize();
            if (Files.isExecutable(file) && Files.isRegularFile(file)) {
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }
}
