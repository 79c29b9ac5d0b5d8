package dev.muster.control.schedule;

import dev.muster.control.decide.Demand;
import dev.muster.model.Cause;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Reads from a stored record what matters to the scheduler. */
final class Records {
    private Records() {}

    private static Claim claim(JobRecord job) {
        return new Claim(
                job.id(),
                job.spec().backend(),
                job.spec().queue(),
                job.origin().owner(),
                job.origin().project(),
                job.spec().priority(),
                Demand.of(job.spec()));
    }

    /** A preempted job keeps its turn; one that its user had put away queues up again. */
    static Waiting waiting(JobRecord job) {
        boolean preempted = job.status().cause().equals(Optional.of(Cause.PREEMPTED));
        Limits limits = job.spec().limits();
        Optional<Duration> runLimit = limits.deadline()
                .map(deadline -> positive(deadline.minus(job.times().runningFor()))
                        .plus(limits.grace())
                        .plus(job.times().startedAt().isPresent() ? Duration.ZERO : limits.startDeadline()));
        return new Waiting(
                claim(job), preempted ? job.times().submittedAt() : job.times().queuedAt(), runLimit);
    }

    static Holding holding(JobRecord job, long order) {
        boolean going = job.state() == JobState.STOPPING || job.state() == JobState.PUBLISHING;
        return new Holding(claim(job), order, going, returnedAt(job), endsBy(job));
    }

    private static Optional<Instant> returnedAt(JobRecord job) {
        JobRecord.Times times = job.times();
        Optional<Instant> first = times.startedAt();
        Optional<Instant> again = times.runningSince().filter(since -> first.isPresent() && since.isAfter(first.get()));
        // Who was sent back before it had run has nothing but its counters to tell of it.
        boolean neverRan = job.counters().attempt() > 1
                && (first.isEmpty() || job.counters().uncounted() > 0);
        return again.or(() -> neverRan ? times.runningSince().or(times::admittedAt) : Optional.empty());
    }

    private static Optional<Instant> endsBy(JobRecord job) {
        Limits limits = job.spec().limits();
        JobRecord.Times times = job.times();
        Optional<Instant> runs =
                times.runningSince().or(() -> times.admittedAt().map(at -> at.plus(limits.startDeadline())));
        return limits.deadline()
                .flatMap(deadline -> runs.map(since ->
                        since.plus(positive(deadline.minus(times.runningFor()))).plus(limits.grace())));
    }

    private static Duration positive(Duration duration) {
        return duration.isNegative() ? Duration.ZERO : duration;
    }
}
