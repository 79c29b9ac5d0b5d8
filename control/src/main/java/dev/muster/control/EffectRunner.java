package dev.muster.control;

import dev.muster.control.decide.Done;
import dev.muster.control.decide.Effect;
import dev.muster.model.Cause;
import dev.muster.model.JobRecord;
import dev.muster.model.ProcessKey;
import dev.muster.model.ProcessPlan;
import dev.muster.spi.Backend;
import dev.muster.spi.Backend.StopHow;
import dev.muster.spi.BackendException;
import dev.muster.spi.Interpreter;
import dev.muster.spi.Launch;
import dev.muster.spi.Telemetry.LogFindings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Carries effects out. One that fails does not keep the others from being tried; it is derived again by the next decision. Used under
 * the job's lock, so calls for one job never overlap.
 */
final class EffectRunner {
    /** After which a start or kill that does not show is tried again. */
    private static final Duration REPEAT = Duration.ofSeconds(2);

    /** How often an unreadable log is tried. */
    private static final int READS = 5;

    private final Ports ports;
    private final Surroundings surroundings;
    private final Sites sites;
    private final Preparer preparer;
    private final Publisher publisher;
    private final Gatherer gatherer;

    EffectRunner(
            Ports ports,
            Surroundings surroundings,
            Sites sites,
            Preparer preparer,
            Publisher publisher,
            Gatherer gatherer) {
        this.gatherer = gatherer;
        this.ports = ports;
        this.surroundings = surroundings;
        this.sites = sites;
        this.preparer = preparer;
        this.publisher = publisher;
    }

    /**
     * What came of a run.
     *
     * @param acted   whether anything may have changed
     * @param trouble whether anything went wrong
     * @param yielded whether it ended early, as a request about the job waits, its record is outdated or the lease on its site has run out
     */
    record Outcome(boolean acted, boolean trouble, boolean yielded) {}

    Outcome run(Cell cell, List<Effect> effects, Instant now) {
        boolean acted = false;
        boolean trouble = false;
        for (Effect effect : effects) {
            if (isRecent(cell, effect, now)) {
                continue;
            }
            if (!mayAct(cell)) {
                return new Outcome(acted, trouble, true);
            }
            try {
                cell.look |= changesWhatIsSeen(effect);
                if (carryOut(cell, effect)) {
                    acted = true;
                    cell.executed.put(effect, now);
                }
                if (cell.uncertain || cell.lock.hasQueuedThreads() || changesThePlaces(effect)) {
                    return new Outcome(acted, trouble, true);
                }
            } catch (BackendException | IOException | RuntimeException e) {
                trouble = true;
                surroundings.monitor().retrying(effect + " of job " + cell.id, e);
            }
        }
        return new Outcome(acted, trouble, false);
    }

    /** From then on the record has places that are given back: nothing is to be started by it. */
    private static boolean changesThePlaces(Effect effect) {
        return effect instanceof Effect.Withdraw;
    }

    private boolean mayAct(Cell cell) {
        return cell.lease.filter(sites::mayAct).isPresent();
    }

    /** A process is asked to stop once, as a second SIGTERM means "at once" to some; what is idempotent for it is repeated slowly. */
    private static boolean isRecent(Cell cell, Effect effect, Instant now) {
        if (effect instanceof Effect.GatherEvidence gather) {
            return Gatherer.isAsked(cell, gather);
        }
        Instant last = cell.executed.get(effect);
        if (last == null) {
            return false;
        }
        return switch (effect) {
            case Effect.AskStop ignored -> true;
            case Effect.AbandonPublish ignored -> true;
            case Effect.Kill ignored -> now.isBefore(last.plus(REPEAT));
            case Effect.StartProcess ignored -> now.isBefore(last.plus(REPEAT));
            case Effect.Prepare ignored -> false;
            case Effect.GatherEvidence ignored -> false;
            case Effect.Follow ignored -> false;
            case Effect.Sweep ignored -> false;
            case Effect.FinishLogs ignored -> false;
            case Effect.NoteRefusals ignored -> false;
            case Effect.WriteStopFile ignored -> false;
            case Effect.Publish ignored -> false;
            case Effect.KeepCheckpoints ignored -> false;
            case Effect.Release ignored -> false;
            case Effect.RemoveObjects ignored -> false;
            case Effect.Withdraw ignored -> false;
        };
    }

    private static boolean changesWhatIsSeen(Effect effect) {
        return effect instanceof Effect.StartProcess
                || effect instanceof Effect.AskStop
                || effect instanceof Effect.Kill;
    }

    private boolean carryOut(Cell cell, Effect effect) throws BackendException, IOException {
        JobRecord job = cell.job();
        Backend backend = ports.backend(job.spec());
        switch (effect) {
            case Effect.Prepare prepare -> preparer.prepare(cell, prepare.writersDead(), () -> mayAct(cell));
            case Effect.StartProcess start -> {
                return start(cell, backend, start.key());
            }
            case Effect.Follow follow -> {
                ports.telemetry().follow(follow.key(), follow.chief());
                cell.followed.add(follow.key());
            }
            case Effect.AskStop ask -> backend.stop(ask.key(), StopHow.ASK);
            case Effect.Kill kill -> backend.stop(kill.key(), StopHow.KILL);
            case Effect.GatherEvidence gather -> gatherer.gather(cell, gather);
            case Effect.Sweep sweep -> {
                backend.sweep(sweep.key());
                cell.swept.add(sweep.key());
            }
            case Effect.FinishLogs finish -> cell.findings.put(finish.key(), finish(cell, finish));
            case Effect.NoteRefusals refusals -> cell.refusals.put(refusals.key(), refusals.told());
            case Effect.WriteStopFile stop -> {
                surroundings.files().writeStop(job.id(), stop.step());
                cell.stopFile = true;
            }
            case Effect.Publish publish -> publisher.publish(cell, publish.chief());
            case Effect.AbandonPublish ignored -> publisher.abandon(cell);
            case Effect.KeepCheckpoints keep -> {
                keep(cell, job, keep);
                cell.checkpointsKept |= keep.last();
            }
            case Effect.Withdraw withdraw -> {
                return withdraw(cell, backend, withdraw.key());
            }
            case Effect.Release ignored -> {
                backend.release(job.id());
                cell.released = true;
            }
            case Effect.RemoveObjects ignored -> {
                if (Leftovers.end(backend, job.id(), () -> mayAct(cell))) {
                    backend.remove(job.id());
                    ports.telemetry().forget(job.id());
                    cell.removed = true;
                }
            }
        }
        return true;
    }

    /** Places those who stay. False when another service may know of others by now. */
    private boolean withdraw(Cell cell, Backend backend, ProcessKey key) throws BackendException {
        JobRecord job = cell.job();
        cell.uncertain |= cell.isOutdated(ports);
        if (cell.uncertain || !mayAct(cell)) {
            return false;
        }
        backend.place(
                job.id(),
                job.counters().attempt(),
                job.spec(),
                cell.planOf(attempt -> !attempt.name().equals(key.name())));
        cell.withdrawn.add(key);
        return true;
    }

    /** False when the start was not to be after all. */
    private boolean start(Cell cell, Backend backend, ProcessKey key) throws BackendException {
        JobRecord job = cell.job();
        ProcessPlan plan = cell.snapshot().plan().process(key.name()).orElseThrow();
        Launch launch = Launches.of(
                job,
                key,
                plan,
                cell.prepared.interpreters().getOrDefault(key.name().role(), Interpreter.NONE),
                job.spec().secretVariables().isEmpty()
                        ? Map.of()
                        : ports.store().secrets(job.id()));
        // Every other effect may follow from an older record: nothing takes an end back.
        cell.uncertain |= cell.isOutdated(ports);
        if (cell.uncertain || !mayAct(cell)) {
            return false;
        }
        try {
            backend.start(launch);
        } catch (BackendException e) {
            if (e.kind() == BackendException.Kind.NO_CONTACT) {
                throw e;
            }
            Cause cause = e.reasonCode();
            cell.refusedStarts.put(
                    key,
                    new Done.RefusedStart(
                            cause,
                            cause.because(key.name() + ": " + e.getMessage()),
                            e.kind() == BackendException.Kind.FAILED));
        }
        return true;
    }

    /** A log that cannot be read must not keep a job from ending for ever: after some tries nothing is known of what it says. */
    private LogFindings finish(Cell cell, Effect.FinishLogs finish) {
        try {
            ports.telemetry().finish(finish.key());
            return finish.examine()
                    ? ports.telemetry()
                            .examine(finish.key(), cell.job().spec().restart().rules())
                    : LogFindings.NONE;
        } catch (RuntimeException e) {
            if (cell.unreadable.merge(finish.key(), 1, Integer::sum) < READS) {
                throw e;
            }
            surroundings.monitor().retrying("reading the log of " + finish.key() + " for the last time", e);
            return LogFindings.NONE;
        }
    }

    private void keep(Cell cell, JobRecord job, Effect.KeepCheckpoints keep) {
        keep.reported().forEach(name -> ports.checkpoints().reported(job.id(), name));
        if (job.spec().checkpoints().keep().isPresent()) {
            ports.checkpoints().prune(job.id(), job.spec().checkpoints().keep().getAsInt(), keep.last());
        }
        cell.checkpoints.addAll(keep.reported());
    }
}
