package dev.muster.spi;

import dev.muster.model.EnvironmentSpec;
import dev.muster.model.Origin;
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
