package dev.muster.frameworks.later;

import dev.muster.model.FrameworkKind;
import dev.muster.model.Group;
import dev.muster.model.JobSpec;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Problem;
import dev.muster.model.RestartScope;
import dev.muster.model.SuccessPolicy;
import dev.muster.spi.Framework;
import java.util.List;
import java.util.Set;

/**
 * A framework of the job text that no backend can launch yet. {@link #check} refuses every job of it; it makes no plan.
 *
 * @param kind which one
 */
public record LaterFramework(FrameworkKind kind) implements Framework {
    @Override
    public List<String> roles() {
        return List.of(JobSpec.CHIEF, JobSpec.WORKER);
    }

    @Override
    public List<String> rankedRoles() {
        return roles();
    }

    @Override
    public Set<String> reservedEnv(JobSpec spec) {
        return Set.of("MUSTER_*");
    }

    @Override
    public List<Problem> check(JobSpec spec) {
        return List.of(Problem.of(
                "framework",
                "framework " + kind.text() + " is not yet on this backend ("
                        + spec.backend().text() + ")",
                "tensorflow, pytorch, horovod, mpi, jax, xgboost or plain"));
    }

    @Override
    public LaunchPlan plan(JobSpec spec, Group group) {
        throw new IllegalArgumentException(
                "a job of framework " + kind.text() + " is refused by check and has no plan");
    }

    @Override
    public SuccessPolicy success(JobSpec spec) {
        return new SuccessPolicy.All();
    }

    @Override
    public RestartScope restartScope(JobSpec spec) {
        return RestartScope.GROUP;
    }
}
