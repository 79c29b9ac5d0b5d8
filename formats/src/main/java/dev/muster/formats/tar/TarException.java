package dev.muster.formats.tar;

import java.io.IOException;

/** A tar archive that cannot be read because of what is in it. */
public final class TarException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String reason;
    private final boolean cutShort;

    private TarException(String reason, boolean cutShort) {
        super("a tar archive cannot be read: " + reason);
        this.reason = reason;
        this.cutShort = cutShort;
    }

    static TarException damaged(String reason) {
        return new TarException(reason, false);
    }

    static TarException cutShort(String reason) {
        return new TarException(reason, true);
    }

    /** What is wrong, as the end of a sentence in which the archive is "it". */
    public String reason() {
        return reason;
    }

    /** Whether the archive ends too early, and is right up to there. */
    public boolean isCutShort() {
        return cutShort;
    }
}
