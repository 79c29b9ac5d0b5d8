package dev.muster.spi;

import dev.muster.model.EnvironmentSpec;
import dev.muster.model.Origin;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.function.Consumer;

/**
 * Python environments keyed by content: interpreter, its version, the requirements and whether system packages are seen. Built once
 * under a lock, never used half built, shared by all jobs of one home. Any thread may call.
 */
public interface PythonEnvironments {
    /** The interpreter a process would get, built or not; nothing is built. */
    Interpreter locate(EnvironmentSpec environment, Origin origin) throws EnvironmentException;

    /**
     * The interpreter, built when it was not.
     *
     * @param progress is told what is being done, a line at a time
     */
    Interpreter prepare(EnvironmentSpec environment, Origin origin, Consumer<String> progress)
            throws EnvironmentException;

    /**
     * Removes environments that no job has been started with for {@link #KEPT}. One that a given use means, or that a process runs in,
     * is never removed; where it cannot be told which one a use means, nothing is. May take long.
     *
     * @param inUse what live jobs use
     */
    void removeUnused(Collection<Use> inUse) throws IOException;

    /** How long an environment stays after its last use by a live job. */
    Duration KEPT = Duration.ofDays(30);

    /** A job uses the Python of such an environment. */
    record Use(EnvironmentSpec environment, Origin origin) {}

    /** An environment could not be made; the message names the requirement that failed, or what else was wrong, and what can be done. */
    final class EnvironmentException extends Exception {
        private static final long serialVersionUID = 1L;

        public EnvironmentException(String message) {
            super(message);
        }

        public EnvironmentException(String message, Throwable from) {
            super(message, from);
        }
    }
}
