package dev.muster.backend.local;

import dev.muster.model.Cause;
import dev.muster.spi.BackendException;
import dev.muster.spi.BackendException.Kind;
import java.io.IOException;
import java.nio.file.FileSystemException;

/** Failures of this machine in the words of the port. */
final class Failures {
    private Failures() {}

    /**
     * What follows from a failed access to a file.
     *
     * @param tried what was tried, such as "the working folder of worker-0 could not be made"
     */
    static BackendException of(String tried, Cause cause, IOException from) {
        if (String.valueOf(from.getMessage()).contains("No space left on device")) {
            return new BackendException(
                    Kind.FAILED, Cause.DISK_FULL, tried + ": no space left on device; make room and try again", from);
        }
        return new BackendException(Kind.FAILED, cause, tried + ": " + reason(from), from);
    }

    /** What the system said, with the file it was about. */
    static String reason(IOException from) {
        String message = from.getMessage() == null ? from.getClass().getSimpleName() : from.getMessage();
        // A file exception without a reason of the system has only the file's name as its message.
        return from instanceof FileSystemException file && file.getReason() == null
                ? from.getClass().getSimpleName().replace("Exception", "") + " " + message
                : message;
    }

    static BackendException refused(Cause cause, String message) {
        return new BackendException(Kind.REFUSED, cause, message);
    }

    static BackendException failed(Cause cause, String message) {
        return new BackendException(Kind.FAILED, cause, message);
    }
}
