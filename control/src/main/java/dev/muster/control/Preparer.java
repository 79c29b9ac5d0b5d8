package dev.muster.control;

import dev.muster.control.decide.Preparation;
import dev.muster.model.Cause;
import dev.muster.model.Checkpoint;
import dev.muster.model.EnvironmentSpec;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.RoleSpec;
import dev.muster.spi.Backend;
import dev.muster.spi.BackendException;
import dev.muster.spi.CheckpointCatalogue.Choice;
import dev.muster.spi.Interpreter;
import dev.muster.spi.PythonEnvironments.EnvironmentException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Makes an attempt of a group ready. What is slow, environments and the choice of a checkpoint, runs beside the loop and its answer
 * comes back as news; the place of the group is taken inside the loop, so that it never overlaps with giving it back.
 */
final class Preparer {
    /** How often a preparation is begun that Muster itself cannot bring to an end, and the pause before each. */
    private static final int TRIES = 5;

    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final Ports ports;
    private final Surroundings surroundings;
    private final Consumer<JobId> news;
    private final StartingPoint startingPoint;

    Preparer(Ports ports, Surroundings surroundings, Consumer<JobId> news) {
        this.ports = ports;
        this.surroundings = surroundings;
        this.news = news;
        this.startingPoint = new StartingPoint(ports.store(), ports.checkpoints());
    }

    /** @param mayAct asked before addresses are taken, as what comes before may take longer than a lease lasts */
    void prepare(Cell cell, boolean writersDead, BooleanSupplier mayAct) throws BackendException, IOException {
        switch (cell.preparation) {
            case Preparation.None ignored -> begin(cell, writersDead);
            case Preparation.Interrupted ignored -> begin(cell, writersDead);
            case Preparation.Waiting ignored -> place(cell, mayAct);
            case Preparation.Working ignored -> {}
            case Preparation.Ready ignored -> {}
            case Preparation.Failed ignored -> {}
        }
    }

    private void begin(Cell cell, boolean writersDead) {
        // What failed before is told until something else is.
        Preparation.Working mine = new Preparation.Working(
                cell.preparation instanceof Preparation.Interrupted before
                        ? "preparing the environment again, for " + before.reason()
                        : "preparing the environment");
        cell.preparation = mine;
        JobRecord job = cell.job();
        Work work = new Work(cell, mine);
        surroundings.slow().execute(() -> work.run(job, writersDead));
    }

    private void place(Cell cell, BooleanSupplier mayAct) throws BackendException, IOException {
        JobRecord job = cell.job();
        surroundings.files().clearStop(job.id());
        if (!mayAct.getAsBoolean()) {
            return;
        }
        try {
            cell.preparation = new Preparation.Ready(
                    ports.backend(job.spec())
                            .place(job.id(), job.counters().attempt(), job.spec(), cell.planOf(attempt -> true)),
                    cell.prepared.resumeFrom(),
                    cell.prepared.warnings());
        } catch (BackendException e) {
            if (e.kind() == BackendException.Kind.NO_CONTACT) {
                throw e;
            }
            cell.preparation = failed(e);
        }
    }

    private static Preparation.Failed failed(BackendException e) {
        return new Preparation.Failed(
                e.reasonCode(), e.reasonCode().because(e.getMessage()), e.kind() == BackendException.Kind.FAILED);
    }

    /** The slow part of one preparation. Its answer is dropped when the cell has gone on to another. */
    private final class Work {
        private final Cell cell;
        private Preparation newest;

        Work(Cell cell, Preparation first) {
            this.cell = cell;
            this.newest = first;
        }

        void run(JobRecord job, boolean writersDead) {
            try {
                Map<String, Interpreter> interpreters = interpreters(job);
                Backend backend = ports.backend(job.spec());
                backend.prepare(job.id(), job.spec(), job.origin(), text -> tell(new Preparation.Working(text)));
                if (writersDead) {
                    backend.collect(job.id());
                }
                Choice choice = startingPoint.choose(job, writersDead);
                Cell.Prepared prepared =
                        new Cell.Prepared(interpreters, choice.checkpoint().map(Checkpoint::path), choice.warnings());
                if (cell.preparation == newest) {
                    cell.prepared = prepared;
                }
                tell(new Preparation.Waiting());
            } catch (EnvironmentException e) {
                tell(new Preparation.Failed(Cause.LAUNCH_FAILED, Cause.LAUNCH_FAILED.because(e.getMessage()), false));
            } catch (StartingPoint.UnusableException e) {
                tell(new Preparation.Failed(
                        Cause.CHECKPOINT_UNUSABLE, Cause.CHECKPOINT_UNUSABLE.because(e.getMessage()), false));
            } catch (BackendException e) {
                tell(answered(e));
            } catch (RuntimeException e) {
                surroundings.monitor().retrying("preparing job " + job.id(), e);
                tell(interrupted(e));
            }
        }

        /** Where the backend was not reached nothing is judged; it is tried until startDeadline. */
        private Preparation answered(BackendException e) {
            return e.kind() == BackendException.Kind.NO_CONTACT
                    ? new Preparation.Interrupted(surroundings.clock().now().plus(PAUSE), e.getMessage())
                    : failed(e);
        }

        private Preparation interrupted(RuntimeException problem) {
            cell.interruptions++;
            if (cell.interruptions < TRIES) {
                return new Preparation.Interrupted(
                        surroundings.clock().now().plus(PAUSE), String.valueOf(problem.getMessage()));
            }
            return new Preparation.Failed(
                    Cause.INTERNAL,
                    Cause.INTERNAL.because("the job could not be prepared: " + problem.getMessage()),
                    false);
        }

        private Map<String, Interpreter> interpreters(JobRecord job) throws EnvironmentException {
            Map<EnvironmentSpec, Interpreter> made = new HashMap<>();
            Map<String, Interpreter> byRole = new HashMap<>();
            if (ports.backend(job.spec()).hasOwnPython()) {
                job.spec().everyRole().keySet().forEach(role -> byRole.put(role, Interpreter.NONE));
                return byRole;
            }
            for (Map.Entry<String, RoleSpec> role : job.spec().everyRole().entrySet()) {
                EnvironmentSpec environment = role.getValue().environment();
                if (!made.containsKey(environment)) {
                    Consumer<String> progress = text -> tell(new Preparation.Working(text));
                    made.put(environment, ports.environments().prepare(environment, job.origin(), progress));
                }
                byRole.put(role.getKey(), made.get(environment));
            }
            return byRole;
        }

        private void tell(Preparation next) {
            if (cell.preparation == newest) {
                newest = next;
                cell.preparation = next;
                news.accept(cell.id);
            }
        }
    }
}
