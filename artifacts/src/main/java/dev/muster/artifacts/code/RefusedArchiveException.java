package dev.muster.artifacts.code;

import java.io.IOException;

/** An archive that is not stored because of what is in it. The message names the entry and the rule and is shown to users as it is. */
public final class RefusedArchiveException extends IOException {
    private static final long serialVersionUID = 1L;

    public RefusedArchiveException(String message) {
        super(message);
    }
}
