package dev.muster.frameworks.tensorflow;

import dev.muster.frameworks.Contract;
import dev.muster.frameworks.GroupFramework;
import dev.muster.frameworks.Roster;
import dev.muster.frameworks.Slot;
import dev.muster.model.FrameworkKind;
import dev.muster.model.JobSpec;
import dev.muster.model.Join;
import dev.muster.model.Member;
import dev.muster.model.Problem;
import dev.muster.model.RestartScope;
import dev.muster.model.SuccessPolicy;
import dev.muster.model.Template;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * TensorFlow. Chief and workers carry ranks; parameter servers and the evaluator do not. Where there is no chief, worker 0 is the one
 * whose model is published; to TensorFlow it stays {@code worker} 0, as its strategies expect.
 *
 * <p>A job with parameter servers restarts the process that failed (its strategy survives that), any other the whole group.
 */
public final class TensorFlowFramework extends GroupFramework {
    static final String EVALUATOR = "evaluator";
    /** Name of the reserved port of each member of the cluster. */
    static final String PORT = "tf";

    private static final String TF_CONFIG = "TF_CONFIG";

    @Override
    public FrameworkKind kind() {
        return FrameworkKind.TENSORFLOW;
    }

    @Override
    public List<String> roles() {
        return List.of(JobSpec.CHIEF, JobSpec.WORKER, JobSpec.PARAMETER_SERVER, EVALUATOR);
    }

    @Override
    protected Set<String> variables(JobSpec spec) {
        return Set.of(TF_CONFIG);
    }

    @Override
    public List<Problem> check(JobSpec spec) {
        List<Problem> problems = new ArrayList<>(super.check(spec));
        problems.addAll(atMostOne(spec, EVALUATOR));
        if (spec.options().evaluatorInCluster()) {
            problems.addAll(needs(spec, "evaluatorInCluster", EVALUATOR));
        }
        if (spec.options().sparseCluster()) {
            problems.addAll(needs(spec, "sparseCluster", JobSpec.PARAMETER_SERVER));
        }
        return problems;
    }

    /** Workers that know nobody but the parameter servers may come and go. */
    @Override
    protected List<Problem> elastic(JobSpec spec) {
        if (!spec.roles().containsKey(JobSpec.PARAMETER_SERVER)) {
            return super.elastic(spec);
        }
        return spec.elastic().isEmpty() || spec.options().sparseCluster()
                ? List.of()
                : List.of(Problem.of(
                        "elastic",
                        "needs a sparse cluster, in which nobody is told who the workers are",
                        "tensorflow: {sparseCluster: true}"));
    }

    private static List<Problem> needs(JobSpec spec, String option, String role) {
        return spec.roles().containsKey(role)
                ? List.of()
                : List.of(Problem.of(
                        "tensorflow." + option,
                        "is for jobs with a role " + role,
                        "add roles." + role + " or remove it"));
    }

    @Override
    public SuccessPolicy success(JobSpec spec) {
        return new SuccessPolicy.Chief();
    }

    @Override
    public RestartScope restartScope(JobSpec spec) {
        return spec.roles().containsKey(JobSpec.PARAMETER_SERVER) ? RestartScope.PROCESS : RestartScope.GROUP;
    }

    @Override
    protected Optional<String> module(JobSpec spec) {
        return Optional.of("tensorflow");
    }

    @Override
    protected Contract contract(Roster roster) {
        return roster.trainers() == 1 ? new Contract() {} : new Tasks(new ClusterMap(roster));
    }

    /** A job of several processes: each is a task of the cluster or its evaluator. */
    private record Tasks(ClusterMap cluster) implements Contract {
        @Override
        public Map<String, Template> env(Slot slot) {
            return cluster.hasTask(slot) ? Map.of(TF_CONFIG, cluster.config(slot)) : Map.of();
        }

        @Override
        public List<String> ports(Slot slot) {
            return cluster.lists(slot) ? List.of(PORT) : List.of();
        }

        /**
         * Every task of the cluster serves on its own port. In a sparse one nobody can ask a worker for anything, so those who train come to
         * the first parameter server. Nobody waits for an evaluator.
         */
        @Override
        public Join join(Slot slot) {
            String role = slot.name().role();
            if (!cluster.lists(slot) || role.equals(EVALUATOR)) {
                return new Join.Started();
            }
            return cluster.isSparse() && slot.isRanked()
                    ? new Join.Connected(new Member(JobSpec.PARAMETER_SERVER, 0), PORT)
                    : new Join.Listens(PORT);
        }
    }
}
