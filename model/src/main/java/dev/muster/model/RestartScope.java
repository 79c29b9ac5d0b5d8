package dev.muster.model;

/** What a restart brings back. */
public enum RestartScope {
    /** The framework's own rule: the group for collectives, the process where parameter servers are. */
    DEFAULT,
    PROCESS,
    /** All processes of the failed one's role. */
    ROLE,
    GROUP;

    /** The spelling in job text. */
    public String text() {
        return Texts.lower(this);
    }
}
