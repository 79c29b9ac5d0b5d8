package dev.muster.model;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The truth about one job, as the store keeps it. Changed only by compare-and-set on {@link #version}.
 *
 * @param id         its identity
 * @param spec       what is asked for
 * @param origin     what else came with the submission
 * @param status     where it stands
 * @param counters   attempts and restarts
 * @param times      its times
 * @param placement  where the group lives during the current attempt; {@link Placement#NONE} while it has no place
 * @param resumeFrom what the current attempt resumes from
 * @param processes  newest attempt of every process, in the order of the launch plan; empty before the first Admitted
 * @param model      the registered model, once there is one
 * @param version    number of changes, from 1
 */
public record JobRecord(
        JobId id,
        JobSpec spec,
        Origin origin,
        Status status,
        Counters counters,
        Times times,
        Placement placement,
        Optional<String> resumeFrom,
        List<Attempt> processes,
        Optional<ModelVersion> model,
        long version) {
    public JobRecord {
        processes = List.copyOf(processes);
    }

    public JobState state() {
        return status.state();
    }

    /**
     * Where a job stands.
     *
     * @param state          its state
     * @param target         in Stopping: the final state, Suspended or Queued that follows; empty otherwise
     * @param cause          why it failed, waits or is being restarted
     * @param reason         one sentence; starts with the cause's code and a colon where there is a cause
     * @param restarting     in Restarting: what is started anew, never DEFAULT; empty otherwise
     * @param noContactSince since when its backend has not been reached, empty while there is contact
     */
    public record Status(
            JobState state,
            Optional<JobState> target,
            Optional<Cause> cause,
            Optional<String> reason,
            Optional<RestartScope> restarting,
            Optional<Instant> noContactSince) {
        public static Status of(JobState state) {
            return new Status(
                    state, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
        }
    }

    /**
     * What is counted over the life of a job.
     *
     * @param attempt    attempt of the group, 0 before the first Admitted
     * @param restarts   restarts that count against restart.max
     * @param uncounted  restarts in a row that do not count, since the last progress
     */
    public record Counters(int attempt, int restarts, int uncounted) {
        public static final Counters ZERO = new Counters(0, 0, 0);
    }

    /**
     * The times of a job, all from Muster's one clock.
     *
     * @param submittedAt when it was accepted
     * @param queuedAt    when it last entered the queue
     * @param admittedAt  when the current attempt was admitted
     * @param startedAt   when its first process was first started
     * @param finishedAt  when it reached its final state
     * @param runningFor  time that counts against the deadline, without the stretch that is still open
     * @param runningSince start of the open stretch; empty while the deadline stands still
     * @param settleUntil end of the window in which exits are collected before judging; empty outside it
     * @param retryAt     end of the back-off; empty outside Restarting
     * @param stopAskedAt when the processes were asked to end; the grace time runs from here
     */
    public record Times(
            Instant submittedAt,
            Instant queuedAt,
            Optional<Instant> admittedAt,
            Optional<Instant> startedAt,
            Optional<Instant> finishedAt,
            Duration runningFor,
            Optional<Instant> runningSince,
            Optional<Instant> settleUntil,
            Optional<Instant> retryAt,
            Optional<Instant> stopAskedAt) {
        /** The times of a job accepted now. */
        public static Times acceptedAt(Instant now) {
            return new Times(
                    now,
                    now,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Duration.ZERO,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        }
    }
}
