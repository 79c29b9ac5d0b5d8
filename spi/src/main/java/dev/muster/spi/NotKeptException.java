package dev.muster.spi;

import dev.muster.model.Cause;
import java.io.IOException;
import java.util.List;

/**
 * The service's own disk does not take what only the backend has. Nobody is to blame but that disk, so nothing is judged, and it is tried again for ever,
 * as after a loss of contact.
 */
public final class NotKeptException extends BackendException {
    private static final long serialVersionUID = 1L;

    /** How Linux says that a disk has no room for somebody. */
    private static final List<String> FULL = List.of("No space left on device", "Disk quota exceeded");

    /** @param what what could not be kept, as the beginning of a sentence */
    public NotKeptException(String what, IOException from) {
        super(
                Kind.NO_CONTACT,
                isFull(from) ? Cause.DISK_FULL : Cause.INTERNAL,
                what + " cannot be kept in the service's home (MUSTER_HOME): " + seen(from)
                        + (isFull(from) ? " (make room on its disk;" : " (let the service's user write there;")
                        + " it goes on by itself then)",
                from);
    }

    private static boolean isFull(IOException from) {
        return FULL.stream().anyMatch(seen(from)::contains);
    }

    private static String seen(IOException from) {
        return from.getMessage() == null ? from.getClass().getSimpleName() : from.getMessage();
    }
}
