package dev.muster.model;

import static dev.muster.model.JobState.ADMITTED;
import static dev.muster.model.JobState.CANCELLED;
import static dev.muster.model.JobState.FAILED;
import static dev.muster.model.JobState.PUBLISHING;
import static dev.muster.model.JobState.QUEUED;
import static dev.muster.model.JobState.RESTARTING;
import static dev.muster.model.JobState.RUNNING;
import static dev.muster.model.JobState.STARTING;
import static dev.muster.model.JobState.STOPPING;
import static dev.muster.model.JobState.SUCCEEDED;
import static dev.muster.model.JobState.SUSPENDED;

import java.util.Arrays;
import java.util.Optional;

/**
 * The whole graph of job states: every step a job may take is a row here, and a store refuses any other. The diagram in docs/ is
 * drawn from this table, and a test fails on a row that no test ever takes.
 */
public enum JobTransition {
    ACCEPT(null, QUEUED, "submitted"),
    ACCEPT_SUSPENDED(null, SUSPENDED, "submitted with suspended: true"),

    ADMIT(QUEUED, ADMITTED, "its whole gang fits into free capacity"),
    SUSPEND_QUEUED(QUEUED, SUSPENDED, "suspend"),
    CANCEL_QUEUED(QUEUED, CANCELLED, "cancel"),
    FAIL_QUEUED(QUEUED, FAILED, "queueDeadline passed, or it can no longer fit"),

    START(ADMITTED, STARTING, "environment, code, checkpoint and addresses are ready"),
    RETRY_ADMITTED(ADMITTED, RESTARTING, "preparation failed and may be tried again"),
    STOP_ADMITTED(ADMITTED, STOPPING, "cancel, suspend, preemption, a deadline, or preparation failed for good"),

    JOIN(STARTING, RUNNING, "every process that must join has joined"),
    RETRY_STARTING(STARTING, RESTARTING, "a process failed and may be tried again"),
    STOP_STARTING(
            STARTING, STOPPING, "cancel, suspend, preemption, a deadline, failure, or success with processes left"),
    PUBLISH_STARTING(STARTING, PUBLISHING, "all ended well before all had joined, and a model is asked for"),
    SUCCEED_STARTING(STARTING, SUCCEEDED, "all ended well before all had joined, and no model is asked for"),

    GROW(RUNNING, ADMITTED, "there is room for workers that an elastic group lacks"),
    RETRY_RUNNING(RUNNING, RESTARTING, "a process failed and may be tried again"),
    STOP_RUNNING(RUNNING, STOPPING, "cancel, suspend, preemption, a deadline, failure, or success with processes left"),
    PUBLISH_RUNNING(RUNNING, PUBLISHING, "all ended well and a model is asked for"),
    SUCCEED_RUNNING(RUNNING, SUCCEEDED, "all ended well and no model is asked for"),

    READMIT(RESTARTING, ADMITTED, "what had to stop has stopped and the back-off has passed"),
    STOP_RESTARTING(RESTARTING, STOPPING, "cancel, suspend, preemption or a deadline"),

    STOPPED_PUBLISH(STOPPING, PUBLISHING, "all processes are gone; target Succeeded and a model is asked for"),
    STOPPED_SUCCEED(STOPPING, SUCCEEDED, "all processes are gone; target Succeeded and no model is asked for"),
    STOPPED_FAIL(STOPPING, FAILED, "all processes are gone; target Failed"),
    STOPPED_CANCEL(STOPPING, CANCELLED, "all processes are gone; target Cancelled"),
    STOPPED_SUSPEND(STOPPING, SUSPENDED, "all processes are gone; target Suspended"),
    STOPPED_REQUEUE(STOPPING, QUEUED, "all processes are gone; target Queued, after preemption"),

    PUBLISHED(PUBLISHING, SUCCEEDED, "the model version is visible"),
    PUBLISH_FAILED(PUBLISHING, FAILED, "the folder is empty or cannot be registered"),
    STOP_PUBLISHING(PUBLISHING, STOPPING, "cancel before the version is visible"),

    RESUME(SUSPENDED, QUEUED, "resume"),
    CANCEL_SUSPENDED(SUSPENDED, CANCELLED, "cancel");

    private final Optional<JobState> from;
    private final JobState to;
    private final String when;

    JobTransition(JobState from, JobState to, String when) {
        this.from = Optional.ofNullable(from);
        this.to = to;
        this.when = when;
    }

    /** The state before; empty for a job that is being accepted. */
    public Optional<JobState> from() {
        return from;
    }

    public JobState to() {
        return to;
    }

    /** What leads to this step, for people. */
    public String when() {
        return when;
    }

    /** The row from one state to another; at most one exists. */
    public static Optional<JobTransition> between(Optional<JobState> from, JobState to) {
        return Arrays.stream(values())
                .filter(row -> row.from.equals(from) && row.to == to)
                .findFirst();
    }
}
