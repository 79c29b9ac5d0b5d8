package dev.muster.control;

import dev.muster.control.decide.Commands;
import dev.muster.control.decide.Decision;
import dev.muster.control.decide.Demand;
import dev.muster.control.schedule.Board;
import dev.muster.control.schedule.Claim;
import dev.muster.control.schedule.Outcome;
import dev.muster.model.BackendKind;
import dev.muster.model.Capacity;
import dev.muster.model.Cause;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobState;
import dev.muster.model.ProcessName;
import dev.muster.spi.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Admits who fits. Never runs twice at once, and nothing else ever takes capacity, so together they never take more than there is. */
final class AdmissionRun {
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Ports ports;
    private final Surroundings surroundings;
    private final Reconciler reconciler;
    private final SharedQuotas quotas;
    private final PastNotes past;

    /** Until when somebody may be admitted in this run. */
    private Instant until = Instant.MAX;

    AdmissionRun(Ports ports, Surroundings surroundings, Reconciler reconciler) {
        this.ports = ports;
        this.surroundings = surroundings;
        this.reconciler = reconciler;
        this.quotas = new SharedQuotas(ports.store(), surroundings, reconciler.sites());
        this.past = new PastNotes(ports.store(), surroundings, reconciler.board());
    }

    /** Whether what other replicas give or get back changes who may be admitted here. */
    boolean dependsOnOthers() {
        return quotas.areShared() && !reconciler.board().idle();
    }

    /** Has what users held in the past outlive this service. Called when nothing runs any more. */
    void noteThePast() {
        past.noteNow();
    }

    void run() {
        past.resume();
        if (!quotas.areShared() || reconciler.board().idle()) {
            admit();
        } else {
            admitInTurn();
        }
        past.note();
    }

    private void admitInTurn() {
        try {
            switch (quotas.take(reconciler.board())) {
                case SharedQuotas.Turn.Wait(Instant again) -> reconciler.admitAt(again);
                case SharedQuotas.Turn.Ours(Lease lease, Instant end) -> {
                    until = end;
                    try {
                        admit();
                    } finally {
                        quotas.giveBack(lease);
                    }
                }
            }
        } catch (RuntimeException e) {
            surroundings.monitor().retrying("taking a turn to admit", e);
            reconciler.admitAt(surroundings.clock().now().plus(PAUSE));
        }
    }

    private void admit() {
        Board board = reconciler.board();
        Map<BackendKind, Capacity> whole = capacities();
        Outcome outcome = board.decide(whole, surroundings.clock().now());
        outcome.never()
                .forEach(id -> change(
                        id,
                        (cell, now) -> Commands.giveUp(
                                cell.snapshot(),
                                Cause.UNSCHEDULABLE,
                                "it can no longer fit: "
                                        + Demand.tooLarge(
                                                cell.job().spec(),
                                                whole.get(cell.job().spec().backend())),
                                now)));
        reconciler.atOnce().run(outcome.starting().stream().map(this::admission).toList());
        grow();
        outcome.preempted().forEach(this::preempt);
        outcome.again().ifPresent(reconciler::admitAt);
    }

    /** Lets running groups grow into what is left. */
    private void grow() {
        Set<JobId> passed = new HashSet<>();
        Optional<Claim> next =
                reconciler.board().nextToGrow(passed, surroundings.clock().now());
        while (next.isPresent()) {
            Optional<Claim> granted = next;
            passed.add(granted.get().id());
            change(
                    granted.get().id(),
                    job -> Board.more(job).equals(granted),
                    (cell, now) -> Commands.grow(cell.snapshot(), highestAttempts(cell.job()), now));
            next = reconciler.board().nextToGrow(passed, surroundings.clock().now());
        }
    }

    /** What there is on each backend whose site is this replica's; one that cannot tell is asked again, and its jobs wait. */
    private Map<BackendKind, Capacity> capacities() {
        Map<BackendKind, Capacity> whole = new EnumMap<>(BackendKind.class);
        ports.backends().forEach((kind, backend) -> {
            if (!reconciler.sites().isKnown(reconciler.sites().siteOf(kind))) {
                return;
            }
            try {
                whole.put(kind, backend.capacity());
            } catch (RuntimeException e) {
                surroundings.monitor().retrying("asking backend " + kind.text() + " for its capacity", e);
                reconciler.admitAt(surroundings.clock().now().plus(PAUSE));
            }
        });
        return whole;
    }

    private void preempt(Outcome.Preemption preemption) {
        try {
            reconciler.commandDriven(
                    preemption.victim(),
                    cell -> Commands.preempt(
                            cell.snapshot(),
                            preemption.reason(),
                            surroundings.clock().now()));
        } catch (RuntimeException e) {
            surroundings.monitor().retrying("preempting job " + preemption.victim(), e);
            reconciler.admitAt(surroundings.clock().now().plus(PAUSE));
        }
    }

    /** One that asks for something else by now, as it was scaled, is decided about anew: its change has asked for that. */
    private Runnable admission(Claim claim) {
        return () -> change(
                claim.id(),
                job -> job.state() == JobState.QUEUED && Board.claim(job).equals(claim),
                (cell, now) -> Commands.admit(cell.snapshot(), highestAttempts(cell.job()), now));
    }

    private interface Change {
        Decision of(Cell cell, Instant now);
    }

    /** Changes a job that waits in the queue. */
    private void change(JobId id, Change change) {
        change(id, job -> job.state() == JobState.QUEUED, change);
    }

    /** Changes a job that still is as it was when this was decided. */
    private void change(JobId id, Predicate<JobRecord> still, Change change) {
        Optional<Cell> found = loaded(id);
        if (found.isEmpty()) {
            return;
        }
        Cell cell = found.get();
        cell.lock.lock();
        try {
            reconciler.makeCertain(cell);
            Instant now = surroundings.clock().now();
            if (!now.isBefore(until)) {
                reconciler.admitAt(now);
            } else if (still.test(cell.job())) {
                reconciler.store(cell, change.of(cell, now), now);
            }
        } catch (RuntimeException e) {
            surroundings.monitor().retrying("admitting job " + id, e);
            reconciler.admitAt(surroundings.clock().now().plus(PAUSE));
        } finally {
            cell.lock.unlock();
            reconciler.wake(id);
        }
    }

    /** One that cannot be read waits, and keeps nobody else waiting. */
    private Optional<Cell> loaded(JobId id) {
        try {
            Optional<Cell> found = reconciler.cell(id);
            if (found.isEmpty()) {
                reconciler.board().forget(id);
            }
            return found;
        } catch (RuntimeException e) {
            surroundings.monitor().retrying("admitting job " + id, e);
            reconciler.admitAt(surroundings.clock().now().plus(PAUSE));
            return Optional.empty();
        }
    }

    private Map<ProcessName, Integer> highestAttempts(JobRecord job) {
        Map<ProcessName, Integer> highest = new HashMap<>();
        if (job.counters().attempt() > 0) {
            ports.store()
                    .attempts(job.id(), Optional.empty())
                    .forEach(attempt -> highest.merge(attempt.name(), attempt.attempt(), Math::max));
        }
        return highest;
    }
}
