package dev.muster.backend.docker;

import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import java.io.IOException;

/** Failures of this machine in the words of the port. */
final class Failures {
    private Failures() {}

    /** @param tried what was tried, such as "worker-0 could not be started" */
    static BackendException of(String tried, IOException from) {
        String message = from.getMessage() == null ? from.getClass().getSimpleName() : from.getMessage();
        if (message.contains("No space left on device")) {
            return new BackendException(
                    Kind.FAILED, Cause.DISK_FULL, tried + ": no space left on device; make room and try again", from);
        }
        return new BackendException(Kind.FAILED, Cause.LAUNCH_FAILED, tried + ": " + message, from);
    }

    static BackendException unreadable(JobId job, IOException from) {
        return new BackendException(
                Kind.NO_CONTACT,
                Cause.INTERNAL,
                "the files of job " + job + " cannot be read: " + from.getMessage(),
                from);
    }
}
