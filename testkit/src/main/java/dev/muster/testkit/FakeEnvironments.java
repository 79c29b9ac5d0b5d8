package dev.muster.testkit;

import dev.muster.model.EnvironmentSpec;
import dev.muster.model.Origin;
import dev.muster.spi.Interpreter;
import dev.muster.spi.PythonEnvironments;
import java.util.Optional;
import java.util.function.Consumer;

/** Environments that are there at once, or cannot be made. */
public final class FakeEnvironments implements PythonEnvironments {
    private Optional<String> failure = Optional.empty();
    private int prepared;

    /** Every environment fails from now on. */
    public void fail(String message) {
        failure = Optional.of(message);
    }

    /** How many were asked for. */
    public int prepared() {
        return prepared;
    }

    @Override
    public Interpreter locate(EnvironmentSpec environment, Origin origin) {
        return Interpreter.NONE;
    }

    @Override
    public Interpreter prepare(EnvironmentSpec environment, Origin origin, Consumer<String> progress)
            throws EnvironmentException {
        prepared++;
        progress.accept("looking for python3");
        if (failure.isPresent()) {
            throw new EnvironmentException(failure.get());
        }
        return Interpreter.NONE;
    }
}
