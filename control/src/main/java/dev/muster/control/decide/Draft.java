package dev.muster.control.decide;

import dev.muster.model.Attempt;
import dev.muster.model.Cause;
import dev.muster.model.Event;
import dev.muster.model.JobRecord;
import dev.muster.model.JobRecord.Counters;
import dev.muster.model.JobRecord.Status;
import dev.muster.model.JobRecord.Times;
import dev.muster.model.JobSpec;
import dev.muster.model.JobState;
import dev.muster.model.JobTransition;
import dev.muster.model.ModelVersion;
import dev.muster.model.Placement;
import dev.muster.model.RestartScope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The next record while it is being worked out, with the events of the change. At most one step of the job's state goes into one
 * change, so that the store can hold each against the table. Single-threaded.
 */
final class Draft {
    private final JobRecord was;
    private final Instant now;
    private final List<Event> events = new ArrayList<>();
    private boolean moved;
    private boolean told;

    private JobState state;
    Optional<JobState> target;
    Optional<Cause> cause;
    Optional<String> reason;
    Optional<RestartScope> restarting;
    Optional<Instant> noContactSince;

    int attempt;
    int restarts;
    int uncounted;

    private Instant queuedAt;
    Optional<Instant> admittedAt;
    private Optional<Instant> startedAt;
    private Optional<Instant> finishedAt;
    private Duration runningFor;
    private Optional<Instant> runningSince;
    Optional<Instant> settleUntil;
    Optional<Instant> retryAt;
    Optional<Instant> stopAskedAt;

    JobSpec spec;
    Placement placement;
    Optional<String> resumeFrom;
    List<Attempt> processes;
    Optional<ModelVersion> model;

    Draft(JobRecord was, Instant now) {
        this.was = was;
        this.now = now;
        Status status = was.status();
        state = status.state();
        target = status.target();
        cause = status.cause();
        reason = status.reason();
        restarting = status.restarting();
        noContactSince = status.noContactSince();
        Counters counters = was.counters();
        attempt = counters.attempt();
        restarts = counters.restarts();
        uncounted = counters.uncounted();
        Times times = was.times();
        queuedAt = times.queuedAt();
        admittedAt = times.admittedAt();
        startedAt = times.startedAt();
        finishedAt = times.finishedAt();
        runningFor = times.runningFor();
        runningSince = times.runningSince();
        settleUntil = times.settleUntil();
        retryAt = times.retryAt();
        stopAskedAt = times.stopAskedAt();
        spec = was.spec();
        placement = was.placement();
        resumeFrom = was.resumeFrom();
        processes = new ArrayList<>(was.processes());
        model = was.model();
    }

    JobState state() {
        return state;
    }

    boolean moved() {
        return moved;
    }

    void because(Cause code, String sentence) {
        cause = Optional.of(code);
        reason = Optional.of(sentence);
    }

    /** Takes the step to a state; cause and reason are set before. */
    void to(JobState next) {
        if (moved || JobTransition.between(Optional.of(state), next).isEmpty()) {
            throw new IllegalStateException(
                    "job " + was.id() + " may not go from " + was.state() + " by " + state + " to " + next);
        }
        events.add(
                new Event(was.id(), 0, now, Optional.empty(), Optional.of(state.text()), next.text(), cause, reason));
        moved = true;
        state = next;
        if (next != JobState.STOPPING) {
            target = Optional.empty();
            stopAskedAt = Optional.empty();
        }
        if (next != JobState.RESTARTING) {
            restarting = Optional.empty();
            retryAt = Optional.empty();
        }
        if (!next.holdsCapacity()) {
            closeStretch();
            settleUntil = Optional.empty();
            placement = Placement.NONE;
        }
        if (next == JobState.QUEUED) {
            queuedAt = now;
        }
        if (next.isFinal()) {
            finishedAt = Optional.of(now);
            noContactSince = Optional.empty();
        }
    }

    /** Goes to Stopping, or changes what follows it. */
    void stop(JobState follows) {
        target = Optional.of(follows);
        stopAskedAt = Optional.of(now);
        settleUntil = Optional.empty();
        if (state == JobState.STOPPING) {
            note();
        } else {
            to(JobState.STOPPING);
        }
    }

    /** Something about it has changed for which there is no step. */
    void note() {
        events.add(
                new Event(was.id(), 0, now, Optional.empty(), Optional.of(state.text()), state.text(), cause, reason));
    }

    /** Tells something about a process that is no step of it. */
    void tell(Attempt of, String sentence) {
        String state = of.state().text();
        events.add(new Event(
                was.id(),
                0,
                now,
                Optional.of(of.name()),
                Optional.of(state),
                state,
                Optional.empty(),
                Optional.of(sentence)));
        told = true;
    }

    /**
     * A process runs, or has run: the deadline runs from the first start on, whenever that was seen.
     *
     * @param at by the clock of the process's host, which may differ
     */
    void started(Instant at) {
        if (was.times().startedAt().isPresent()) {
            openStretch();
            return;
        }
        Instant admitted = admittedAt.orElse(now);
        Instant own = at.isBefore(admitted) ? admitted : at.isAfter(now) ? now : at;
        startedAt = Optional.of(startedAt.filter(own::isAfter).orElse(own));
        runningSince = startedAt;
    }

    /** The deadline goes on running for a job that was started before. */
    void openStretch() {
        if (startedAt.isPresent() && runningSince.isEmpty()) {
            runningSince = Optional.of(now);
        }
    }

    private void closeStretch() {
        if (runningSince.isPresent()) {
            runningFor = runningFor.plus(Duration.between(runningSince.get(), now));
            runningSince = Optional.empty();
        }
    }

    /** When the deadline passes if nothing stops it; empty while it stands still. */
    Optional<Instant> deadlineAt(Duration deadline) {
        return runningSince.map(since -> since.plus(deadline).minus(runningFor));
    }

    /** Replaces all processes; who was there before and begins anew makes an event, as every process's events lead from one to the next. */
    void members(List<Attempt> next) {
        for (Attempt attempt : next) {
            processes.stream()
                    .filter(before -> before.name().equals(attempt.name()))
                    .forEach(before -> changed(before, attempt));
        }
        processes = next;
    }

    /** Replaces a process's attempt; a new state makes an event. */
    void process(int index, Attempt next) {
        changed(processes.set(index, next), next);
    }

    private void changed(Attempt before, Attempt next) {
        if (before.state() != next.state() || before.attempt() != next.attempt()) {
            events.add(new Event(
                    was.id(),
                    0,
                    now,
                    Optional.of(next.name()),
                    Optional.of(before.state().text()),
                    next.state().text(),
                    next.exit().flatMap(Attempt.Exit::cause),
                    next.exit().flatMap(Attempt.Exit::reason)));
        }
    }

    List<Event> events() {
        return events;
    }

    /** The next record, or empty when nothing differs and nothing is to be told. */
    Optional<JobRecord> next() {
        JobRecord next = new JobRecord(
                was.id(),
                spec,
                was.origin(),
                new Status(state, target, cause, reason, restarting, noContactSince),
                new Counters(attempt, restarts, uncounted),
                new Times(
                        was.times().submittedAt(),
                        queuedAt,
                        admittedAt,
                        startedAt,
                        finishedAt,
                        runningFor,
                        runningSince,
                        settleUntil,
                        retryAt,
                        stopAskedAt),
                placement,
                resumeFrom,
                processes,
                model,
                was.version() + 1);
        return moved || told || !next.equals(atVersion(next.version())) ? Optional.of(next) : Optional.empty();
    }

    private JobRecord atVersion(long version) {
        return new JobRecord(
                was.id(),
                was.spec(),
                was.origin(),
                was.status(),
                was.counters(),
                was.times(),
                was.placement(),
                was.resumeFrom(),
                was.processes(),
                was.model(),
                version);
    }
}
