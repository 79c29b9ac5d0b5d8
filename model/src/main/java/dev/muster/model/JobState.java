package dev.muster.model;

/**
 * The state of a job. Which state may follow which is fixed in {@link JobTransition}; nothing else decides it.
 */
public enum JobState {
    /** Accepted, waits for its turn and for free capacity. Holds nothing. */
    QUEUED,
    /** Its capacity is reserved; environment, code and addresses are being prepared. */
    ADMITTED,
    /** Its processes are being started or have not all joined. */
    STARTING,
    /** Every process that must join has joined. */
    RUNNING,
    /** Something failed and will be tried again: survivors are stopped where the scope asks for it, then the back-off passes. */
    RESTARTING,
    /** Its processes are being stopped; the state that follows is stored beside it. */
    STOPPING,
    /** Paused by its user; holds nothing and no clock runs. */
    SUSPENDED,
    /** The training is over; the chief's model folder is being hashed and registered. */
    PUBLISHING,
    SUCCEEDED,
    FAILED,
    CANCELLED;

    /** A final state never changes. */
    public boolean isFinal() {
        return this == SUCCEEDED || this == FAILED || this == CANCELLED;
    }

    /** Whether a job in this state holds capacity and may have live processes. */
    public boolean holdsCapacity() {
        return switch (this) {
            case ADMITTED, STARTING, RUNNING, RESTARTING, STOPPING, PUBLISHING -> true;
            case QUEUED, SUSPENDED, SUCCEEDED, FAILED, CANCELLED -> false;
        };
    }

    /** The spelling used in every answer, such as {@code Queued}. */
    public String text() {
        return Texts.camel(this);
    }
}
