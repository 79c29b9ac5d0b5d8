package dev.muster.frameworks.horovod;

import dev.muster.frameworks.Companion;
import dev.muster.frameworks.Contract;
import dev.muster.frameworks.GroupFramework;
import dev.muster.frameworks.Roster;
import dev.muster.model.FrameworkKind;
import dev.muster.model.JobSpec;
import dev.muster.model.Problem;
import dev.muster.model.RestartScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Horovod 0.28 with its Gloo controller, started without horovodrun and without MPI. A worker is a host of Horovod's: its ranks are the
 * local ones, and the ranks of equal local rank across the workers are the cross ones.
 */
public final class HorovodFramework extends GroupFramework {
    @Override
    public FrameworkKind kind() {
        return FrameworkKind.HOROVOD;
    }

    @Override
    protected Set<String> variables(JobSpec spec) {
        return spec.elastic().isPresent() ? ElasticRanks.VARIABLES : GlooRanks.VARIABLES;
    }

    @Override
    protected int ranksPerMember(JobSpec spec) {
        return spec.processesPerWorker();
    }

    @Override
    public List<Problem> check(JobSpec spec) {
        List<Problem> problems = new ArrayList<>(atMostOne(spec, JobSpec.CHIEF));
        problems.addAll(companionNotWritten(spec));
        if (spec.elastic().isPresent() && spec.processesPerWorker() > 1) {
            problems.add(Problem.of(
                    "processesPerWorker",
                    "a worker of an elastic horovod job is one process, not " + spec.processesPerWorker(),
                    "1, and more workers"));
        }
        problems.addAll(standby(spec));
        return problems;
    }

    /** The others of an elastic group go on without the one that is lost, until it is back. */
    @Override
    public RestartScope restartScope(JobSpec spec) {
        return spec.elastic().isPresent() ? RestartScope.PROCESS : RestartScope.GROUP;
    }

    @Override
    protected Contract contract(Roster roster) {
        if (roster.spec().elastic().isPresent()) {
            return ElasticRanks.of(roster);
        }
        return new GlooRanks(Companion.of(roster, "rendezvous", HorovodFramework.class, "rendezvous.py"));
    }
}
