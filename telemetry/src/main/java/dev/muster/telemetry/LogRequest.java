package dev.muster.telemetry;

import dev.muster.model.JobId;
import dev.muster.model.ProcessName;
import java.util.Optional;

/**
 * Which logs to read.
 *
 * @param job      the job
 * @param process  one process, or all of them merged by time
 * @param attempts which attempts of each
 */
public record LogRequest(JobId job, Optional<ProcessName> process, Attempts attempts) {
    /** Which attempts of a process. */
    public sealed interface Attempts {
        /** The newest there is; one who follows goes on with those that come. */
        record Latest() implements Attempts {}

        /** From the first on. */
        record All() implements Attempts {}

        /** Only this one. */
        record Only(int number) implements Attempts {}
    }
}
