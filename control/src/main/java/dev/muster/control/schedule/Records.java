package dev.muster.control.schedule;

import dev.muster.control.decide.Demand;
import dev.muster.control.decide.Elasticity;
import dev.muster.model.Capacity;
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

    static Claim claim(JobRecord job) {
        return new Claim(
                job.id(),
                job.spec().backend(),
                job.spec().queue(),
                job.origin().owner(),
                job.origin().project(),
                job.spec().priority(),
                Demand.of(job));
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

    /** What a running elastic job asks for beside what it holds, when it is to have more workers than are there. */
    static Optional<Claim> more(JobRecord job) {
        boolean lacks = job.state() == JobState.RUNNING
                && !Elasticity.lacking(job.spec(), job.processes()).isEmpty();
        if (!lacks) {
            return Optional.empty();
        }
        int workers = Elasticity.workers(job.spec(), job.processes())
                + Elasticity.lacking(job.spec(), job.processes()).size();
        Capacity more = Demand.of(job.spec().withWorkers(workers)).minus(Demand.of(job));
        Claim held = claim(job);
        return Optional.of(
                new Claim(held.id(), held.backend(), held.queue(), held.user(), held.project(), held.priority(), more));
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
