package dev.muster.control.decide;

import dev.muster.model.Capacity;
import dev.muster.model.JobSpec;
import dev.muster.model.Problem;
import dev.muster.model.Resources;
import dev.muster.model.RoleSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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

    /** Why the job can never fit, a problem for each thing it asks too much of; empty when it can. */
    public static List<Problem> tooLarge(JobSpec spec, Capacity capacity) {
        Capacity demand = of(spec);
        List<Problem> problems = new ArrayList<>();
        check(problems, "roles", "processes", demand.processes(), capacity.processes());
        check(problems, "resources.cpus", "thousandths of a core", demand.milliCpus(), capacity.milliCpus());
        check(problems, "resources.memory", "bytes of memory", demand.memoryBytes(), capacity.memoryBytes());
        check(problems, "resources.gpus", "GPUs", demand.gpus(), capacity.gpus());
        return problems;
    }

    private static void check(List<Problem> problems, String field, String unit, long asked, long there) {
        if (asked > there) {
            problems.add(Problem.of(
                    field,
                    "the whole job asks for " + asked + " " + unit + " at once, and there are " + there + " in all",
                    "ask for less, or give the service more capacity"));
        }
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
