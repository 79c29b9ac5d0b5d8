package dev.muster.model;

/** Why a job or a process ended or waits: a code that programs can act on. The sentence beside it starts with this code and a colon. */
public enum Cause {
    USER_ERROR,
    OUT_OF_MEMORY,
    KILLED,
    NODE_LOST,
    PREEMPTED,
    LAUNCH_FAILED,
    IMAGE_MISSING,
    UNSCHEDULABLE,
    PORT_LOST,
    START_TIMEOUT,
    STALLED,
    DEADLINE_EXCEEDED,
    DISK_FULL,
    /** Vanished without an exit code. */
    LOST,
    MODEL_MISSING,
    CHECKPOINT_UNUSABLE,
    BACKEND_REFUSED,
    INTERNAL;

    /** The spelling used in every answer, such as {@code OutOfMemory}. */
    public String text() {
        return Texts.camel(this);
    }

    /** One sentence that starts with the code and a colon. It is one line, and plain text, whatever programs said that are quoted in it. */
    public String because(String sentence) {
        return text() + ": " + OneLine.of(sentence);
    }
}
