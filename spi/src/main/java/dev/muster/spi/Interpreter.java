package dev.muster.spi;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The Python a process is given.
 *
 * @param python   absolute path of the program that {@code python} and {@code python3} mean, absent when there is no Python
 * @param path     folders that go first on PATH; each call of python or python3 through them reaches that program
 * @param env      further variables of an activated environment, such as VIRTUAL_ENV
 */
public record Interpreter(Optional<String> python, List<String> path, Map<String, String> env) {
    public static final Interpreter NONE = new Interpreter(Optional.empty(), List.of(), Map.of());

    public Interpreter {
        path = List.copyOf(path);
        env = Map.copyOf(env);
    }
}
