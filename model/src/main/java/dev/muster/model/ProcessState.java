package dev.muster.model;

/** The state of one attempt of one process. */
public enum ProcessState {
    /** Not started yet. */
    WAITING,
    /** Its start is ordered or done, it has not joined. */
    STARTING,
    /** It has joined its group. */
    RUNNING,
    /** It was asked to end. */
    STOPPING,
    /** It ended and its exit code is known. */
    EXITED,
    /** It vanished without an exit code. */
    LOST;

    /** Whether this attempt is over. */
    public boolean isOver() {
        return this == EXITED || this == LOST;
    }

    /** The spelling used in every answer, such as {@code Running}. */
    public String text() {
        return Texts.camel(this);
    }
}
