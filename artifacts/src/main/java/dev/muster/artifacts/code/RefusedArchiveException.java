package dev.muster.artifacts.code;

import java.io.IOException;

/** An archive that is not stored because of what is in it. The message names the entry and the rule and is shown to users as it is. */
public final class RefusedArchiveException extends IOException {
    private static final long serialVersionUID = 1L;

    private final boolean tooLarge;

    public RefusedArchiveException(String message) {
        this(message, false);
    }

    RefusedArchiveException(String message, boolean tooLarge) {
        super(message);
        this.tooLarge = tooLarge;
    }

    /** Whether there is only too much in it: bytes, or entries. */
    public boolean tooLarge() {
        return tooLarge;
    }
}
