package dev.muster.control.decide;

import dev.muster.model.Amount;
import dev.muster.model.BackendKind;
import dev.muster.model.Capacity;
import dev.muster.model.JobRecord;
import dev.muster.model.JobSpec;
import dev.muster.model.Problem;
import dev.muster.model.Resources;
import dev.muster.model.RoleSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;

/** What a whole gang takes. Resources are those of a worker, however many ranks it has; who asks for none takes only a place for each process. */
public final class Demand {
    private Demand() {}

    public static Capacity of(JobSpec spec) {
        Capacity demand = Capacity.ZERO;
        for (Map.Entry<String, RoleSpec> role : spec.everyRole().entrySet()) {
            demand = demand.plus(of(spec, role.getKey(), role.getValue()));
        }
        return demand;
    }

    /** What a job holds: of an elastic group, what the workers take that are there. */
    public static Capacity of(JobRecord job) {
        JobSpec spec = job.spec();
        return spec.elastic().isPresent() && job.state().holdsCapacity()
                ? of(spec.withWorkers(Elasticity.workers(spec, job.processes())))
                : of(spec);
    }

    /** Why the job can never fit, a problem for each thing it asks too much of; empty when it can. */
    public static List<Problem> tooLarge(JobSpec spec, Capacity capacity) {
        Capacity demand = of(spec);
        List<Problem> problems = new ArrayList<>();
        BackendKind backend = spec.backend();
        check(problems, backend, most(spec), demand.processes(), capacity.processes(), Amount::processes);
        check(problems, backend, "resources.cpus", demand.milliCpus(), capacity.milliCpus(), Amount::cpus);
        check(problems, backend, "resources.memory", demand.memoryBytes(), capacity.memoryBytes(), Amount::memory);
        check(problems, backend, "resources.gpus", demand.gpus(), capacity.gpus(), Amount::gpus);
        return problems;
    }

    /** Where the number of the role stands that asks for most processes. */
    private static String most(JobSpec spec) {
        if (spec.roles().keySet().equals(Set.of(JobSpec.WORKER))) {
            return "workers";
        }
        Map.Entry<String, RoleSpec> most = Collections.max(
                spec.roles().entrySet(),
                Comparator.comparingLong(
                        role -> of(spec, role.getKey(), role.getValue()).processes()));
        return "roles." + most.getKey() + ".count";
    }

    private static void check(
            List<Problem> problems,
            BackendKind backend,
            String field,
            long asked,
            long there,
            LongFunction<String> amount) {
        if (asked > there) {
            problems.add(Problem.of(
                    field,
                    "the whole job asks for " + amount.apply(asked) + " at once, and all there is are "
                            + amount.apply(there),
                    "ask for less, or give the service more: " + more(backend, field)));
        }
    }

    /** What bounds it there. */
    private static String more(BackendKind backend, String field) {
        boolean gpus = field.equals("resources.gpus");
        return switch (backend) {
            case LOCAL -> gpus ? "MUSTER_GPUS or MUSTER_CAPACITY" : "MUSTER_CAPACITY";
            case DOCKER -> gpus ? "MUSTER_DOCKER_GPUS names the devices" : "MUSTER_DOCKER_CAPACITY";
            case KUBERNETES, KUBEFLOW -> "nodes of the cluster";
        };
    }

    private static Capacity of(JobSpec spec, String name, RoleSpec role) {
        boolean ranked = !role.sidecar() && (name.equals(JobSpec.CHIEF) || name.equals(JobSpec.WORKER));
        Resources each = role.resources();
        return new Capacity(
                role.count() * (ranked ? spec.processesPerWorker() : 1),
                (long) each.milliCpus().orElse(0) * role.count(),
                each.memoryBytes().orElse(0) * role.count(),
                each.gpus() * role.count());
    }
}
