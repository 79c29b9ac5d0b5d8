package dev.muster.control;

import dev.muster.control.decide.Commands.Ruling;
import dev.muster.model.JobId;
import dev.muster.model.JobRecord;
import dev.muster.model.JobSpec;
import java.util.Optional;
import java.util.function.Function;

/** Requests about jobs that another replica drives: ruled on by the stored record; its driver learns of it from the store. */
final class Elsewhere {
    private final Ports ports;

    Elsewhere(Ports ports) {
        this.ports = ports;
    }

    /** Why nothing can be done about a job here whose backend this service does not have, and what helps. */
    static String noBackend(JobSpec spec) {
        String backend = spec.backend().text();
        return "this service has no backend " + backend
                + ", as what names it was not set when it was started ('muster doctor' tells); set it"
                + " and start the service again ('muster local stop', which leaves jobs alone, then any command), or ask a replica that has "
                + backend;
    }

    /** Empty when there is no such job. */
    Optional<Ruling> command(JobId id, Function<Cell, Ruling> request) {
        for (int round = 0; round < Reconciler.MOST_ROUNDS; round++) {
            Optional<JobRecord> job = ports.store().find(id);
            if (job.isEmpty()) {
                return Optional.empty();
            }
            if (!ports.backends().containsKey(job.get().spec().backend())) {
                return Optional.of(new Ruling.Refuse(noBackend(job.get().spec())));
            }
            Cell passing = Cell.passing(job.get(), ports);
            Ruling ruling = request.apply(passing);
            if (!(ruling instanceof Ruling.Change change)
                    || change.decision().next().isEmpty()
                    || ports.store()
                            .compareAndSet(
                                    change.decision().next().get(),
                                    change.decision().events())) {
                return Optional.of(ruling);
            }
        }
        throw Reconciler.neverTheSame(id);
    }
}
