package dev.muster.testkit;

import dev.muster.model.FrameworkKind;
import dev.muster.model.Group;
import dev.muster.model.JobSpec;
import dev.muster.model.Join;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Problem;
import dev.muster.model.ProcessName;
import dev.muster.model.ProcessPlan;
import dev.muster.model.RestartScope;
import dev.muster.model.RoleSpec;
import dev.muster.model.SuccessPolicy;
import dev.muster.model.Template;
import dev.muster.spi.Framework;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A framework without a launch contract: it has roles, ranks and a chief. With a role {@code ps} it restarts single processes, as
 * TensorFlow's parameter-server jobs do, and elastic ones too. Everything but sidecars has to join. Where its kind has a companion, ranked processes are
 * started after that one has joined.
 */
public final class FakeFramework implements Framework {
    private final FrameworkKind kind;
    private final SuccessPolicy success;

    public FakeFramework(FrameworkKind kind, SuccessPolicy success) {
        this.kind = kind;
        this.success = success;
    }

    @Override
    public FrameworkKind kind() {
        return kind;
    }

    @Override
    public List<String> roles() {
        return List.of(JobSpec.CHIEF, JobSpec.WORKER, "ps", "evaluator");
    }

    @Override
    public List<String> rankedRoles() {
        return List.of(JobSpec.CHIEF, JobSpec.WORKER);
    }

    @Override
    public Set<String> reservedEnv(JobSpec spec) {
        return Set.of();
    }

    @Override
    public List<Problem> check(JobSpec spec) {
        return List.of();
    }

    @Override
    public LaunchPlan plan(JobSpec spec, Group group) {
        List<ProcessPlan> plans = new ArrayList<>();
        int ranks = 0;
        Optional<ProcessName> companion = spec.companion().map(role -> new ProcessName(role, 0));
        for (Map.Entry<String, RoleSpec> role : spec.everyRole().entrySet()) {
            boolean ranked =
                    rankedRoles().contains(role.getKey()) && !role.getValue().sidecar();
            for (int index = 0; index < group.count(role.getKey()); index++) {
                ProcessName name = new ProcessName(role.getKey(), index);
                boolean isCompanion = companion.filter(name::equals).isPresent();
                plans.add(new ProcessPlan(
                        name,
                        ranked ? OptionalInt.of(ranks) : OptionalInt.empty(),
                        ranked ? OptionalInt.of(0) : OptionalInt.empty(),
                        ranked && ranks == 0,
                        List.of(Template.text("true")),
                        Map.of(),
                        Map.of(),
                        List.of("main"),
                        role.getValue().sidecar() && !isCompanion ? new Join.Started() : new Join.Listens("main"),
                        ranked ? companion.stream().collect(Collectors.toSet()) : Set.of(),
                        isCompanion));
                ranks += ranked ? 1 : 0;
            }
        }
        return new LaunchPlan(ranks, plans);
    }

    @Override
    public SuccessPolicy success(JobSpec spec) {
        return success;
    }

    @Override
    public RestartScope restartScope(JobSpec spec) {
        return spec.roles().containsKey("ps") || spec.elastic().isPresent() ? RestartScope.PROCESS : RestartScope.GROUP;
    }
}
