package dev.muster.frameworks.mpi;

import dev.muster.frameworks.Contract;
import dev.muster.frameworks.GroupFramework;
import dev.muster.frameworks.Roster;
import dev.muster.model.Amount;
import dev.muster.model.FrameworkKind;
import dev.muster.model.JobSpec;
import dev.muster.model.Problem;
import dev.muster.model.SuccessPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * MPI. The launcher runs the job's command, such as {@code mpirun python train.py}, once an agent listens on every worker; the workers
 * run what {@code mpirun} starts through them. A worker offers as many slots as it has processesPerWorker. The launcher's result is
 * the job's.
 */
public final class MpiFramework extends GroupFramework {
    static final String LAUNCHER = "launcher";

    @Override
    public FrameworkKind kind() {
        return FrameworkKind.MPI;
    }

    @Override
    public List<String> roles() {
        return List.of(LAUNCHER, JobSpec.WORKER);
    }

    @Override
    public List<String> rankedRoles() {
        return List.of(JobSpec.WORKER);
    }

    @Override
    protected Set<String> variables(JobSpec spec) {
        return OpenMpi.VARIABLES;
    }

    @Override
    public List<Problem> check(JobSpec spec) {
        List<Problem> problems = new ArrayList<>(atMostOne(spec, LAUNCHER));
        problems.addAll(elastic(spec));
        problems.addAll(standby(spec));
        if (!spec.roles().containsKey(JobSpec.WORKER)) {
            problems.add(Problem.of("workers", "an mpi job has at least one worker", "workers: 1"));
            return problems;
        }
        int workers = spec.role(JobSpec.WORKER).count();
        int slots = workers * spec.processesPerWorker();
        ProcessCount.of(spec.role(LAUNCHER).command())
                .filter(asked -> asked > slots)
                .ifPresent(asked -> problems.add(Problem.of(
                        spec.roles().containsKey(LAUNCHER) ? "roles.launcher.command" : "command",
                        "asks for " + Amount.processes(asked) + ", and " + Amount.workers(workers) + " with "
                                + Amount.processes(spec.processesPerWorker()) + " each can have " + slots,
                        "at most " + slots + ", or more workers or processesPerWorker")));
        return problems;
    }

    @Override
    public SuccessPolicy success(JobSpec spec) {
        return new SuccessPolicy.OfRole(LAUNCHER);
    }

    @Override
    protected Contract contract(Roster roster) {
        return new OpenMpi(roster);
    }
}
