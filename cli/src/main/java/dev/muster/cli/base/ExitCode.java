package dev.muster.cli.base;

/** How a command ends; the numbers are part of the contract. */
public enum ExitCode {
    /** Done; for run and wait: the job Succeeded. */
    DONE(0),
    /** The job failed. Only run and wait. */
    JOB_FAILED(1),
    /** Bad input or usage. */
    BAD_INPUT(2),
    /** The job was cancelled. Only run and wait. */
    CANCELLED(3),
    /** The service was not reached. */
    NOT_REACHED(4),
    NOT_FOUND(5),
    /** Refused because of a state, a conflict or missing rights. */
    REFUSED(6),
    TIMED_OUT(7),
    /** A fault in Muster. */
    FAULT(70),
    /** The person stopped watching; the job goes on. */
    DETACHED(130);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    /** How run and wait end for a job in this final state. */
    public static ExitCode ofFinalState(String state) {
        return switch (state) {
            case "Succeeded" -> DONE;
            case "Cancelled" -> CANCELLED;
            case "Failed" -> JOB_FAILED;
            default -> throw new IllegalArgumentException(state + " is no final state");
        };
    }
}
