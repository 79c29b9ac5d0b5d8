package dev.muster.spi;

import dev.muster.model.Cause;

/**
 * A backend could not do what it was asked. The message says what was tried, on what, what was seen and what can be done; it is
 * shown to users as it is.
 */
public class BackendException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What follows from the failure. */
    public enum Kind {
        /** It will fail again: the job ends with the cause. */
        REFUSED,
        /** A new attempt may work, counted or not as the cause says. */
        FAILED,
        /** The backend cannot be reached; nothing is known and nothing is judged. */
        NO_CONTACT
    }

    private final Kind kind;
    private final Cause cause;

    public BackendException(Kind kind, Cause cause, String message) {
        super(message);
        this.kind = kind;
        this.cause = cause;
    }

    public BackendException(Kind kind, Cause cause, String message, Throwable from) {
        super(message, from);
        this.kind = kind;
        this.cause = cause;
    }

    public Kind kind() {
        return kind;
    }

    @Override
    public String toString() {
        return "BackendException[" + kind + ", " + cause.because(getMessage()) + "]";
    }

    /** The cause a job or process gets from this. */
    public Cause reasonCode() {
        return cause;
    }
}
