package dev.muster.frameworks.pytorch;

import dev.muster.frameworks.Contract;
import dev.muster.frameworks.Coordinator;
import dev.muster.frameworks.GroupFramework;
import dev.muster.frameworks.Roster;
import dev.muster.model.FrameworkKind;
import dev.muster.model.JobSpec;
import dev.muster.model.Problem;
import dev.muster.model.RestartScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * PyTorch. With the launcher {@code direct} Muster starts every rank itself; with {@code torchrun} it starts one launcher a worker,
 * and world size and rank of Muster count launchers while torchrun gives its own processes theirs.
 */
public final class PyTorchFramework extends GroupFramework {
    @Override
    public FrameworkKind kind() {
        return FrameworkKind.PYTORCH;
    }

    /**
     * The variables of a rank are reserved with either launcher, since torchrun sets them for its processes. Of the PET_ variables
     * only those that Muster sets: users may need others, such as PET_REDIRECTS.
     */
    @Override
    protected Set<String> variables(JobSpec spec) {
        Set<String> names = new TreeSet<>(DirectRanks.VARIABLES);
        if (spec.options().torchrun()) {
            names.addAll(TorchrunLaunchers.VARIABLES);
        }
        return names;
    }

    @Override
    protected int ranksPerMember(JobSpec spec) {
        return spec.options().torchrun() ? 1 : spec.processesPerWorker();
    }

    @Override
    public List<Problem> check(JobSpec spec) {
        List<Problem> problems = new ArrayList<>(atMostOne(spec, JobSpec.CHIEF));
        problems.addAll(companionNotWritten(spec));
        problems.addAll(standby(spec));
        if (spec.elastic().isPresent() && !spec.options().torchrun()) {
            problems.add(Problem.of(
                    "elastic",
                    "needs torchrun, whose rendezvous lets workers come and go",
                    "pytorch: {launcher: torchrun}"));
        }
        if (spec.options().torchrun()) {
            spec.roles().entrySet().stream()
                    .filter(role -> !role.getValue().sidecar())
                    .map(Map.Entry::getValue)
                    .filter(role -> TorchrunCommand.lacksScript(role.command()))
                    .limit(1)
                    .forEach(role -> problems.add(
                            Problem.of("command", "torchrun needs a script or module to start", "[python, train.py]")));
        }
        return problems;
    }

    /** The others of an elastic group go on without the one that is lost, until it is back. */
    @Override
    public RestartScope restartScope(JobSpec spec) {
        return spec.elastic().isPresent() ? RestartScope.PROCESS : RestartScope.GROUP;
    }

    @Override
    protected Optional<String> module(JobSpec spec) {
        if (!spec.options().torchrun()) {
            return Optional.of("torch");
        }
        return spec.elastic().map(bounds -> "torch.distributed.run");
    }

    @Override
    protected Contract contract(Roster roster) {
        if (roster.spec().elastic().isPresent()) {
            return ElasticLaunchers.of(roster);
        }
        Coordinator master = new Coordinator(roster, "master");
        return roster.spec().options().torchrun() ? new TorchrunLaunchers(master) : new DirectRanks(master);
    }
}
