package dev.muster.testkit;

import dev.muster.model.EnvironmentSpec;
import dev.muster.model.Origin;
import dev.muster.spi.Interpreter;
import dev.muster.spi.PythonEnvironments;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Environments that are there at once, or cannot be made. */
public final class FakeEnvironments implements PythonEnvironments {
    private Optional<String> failure = Optional.empty();
    private final List<Collection<Use>> removals = new ArrayList<>();
    private int prepared;

    /** Every environment fails from now on. */
    public void fail(String message) {
        failure = Optional.of(message);
    }

    /** How many were asked for. */
    public int prepared() {
        return prepared;
    }

    /** What was named as in use at each removal of unused environments, oldest first. */
    public List<Collection<Use>> removals() {
        return removals;
    }

    @Override
    public void removeUnused(Collection<Use> inUse) {
        removals.add(List.copyOf(inUse));
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
