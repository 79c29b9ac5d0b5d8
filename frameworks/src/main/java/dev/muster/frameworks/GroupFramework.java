package dev.muster.frameworks;

import dev.muster.model.Group;
import dev.muster.model.JobSpec;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Member;
import dev.muster.model.Problem;
import dev.muster.model.ProcessPlan;
import dev.muster.model.RestartScope;
import dev.muster.model.SuccessPolicy;
import dev.muster.model.Template;
import dev.muster.spi.Framework;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What frameworks have in common: chief and worker carry ranks, all of them succeed together, a failure restarts the group. */
public abstract class GroupFramework implements Framework {
    /** What this framework adds for one group. */
    protected abstract Contract contract(Roster roster);

    /** Names of the variables that {@link #contract} may set for such a job. */
    protected abstract Set<String> variables(JobSpec spec);

    /** How many processes Muster starts on each member of a ranked role. */
    protected int ranksPerMember(JobSpec spec) {
        return 1;
    }

    /** What a process of such a job imports first, so that one may be held ready that has; empty where none can be. */
    protected Optional<String> module(JobSpec spec) {
        return Optional.empty();
    }

    @Override
    public List<String> roles() {
        return rankedRoles();
    }

    @Override
    public List<String> rankedRoles() {
        return List.of(JobSpec.CHIEF, JobSpec.WORKER);
    }

    @Override
    public final Set<String> reservedEnv(JobSpec spec) {
        Set<String> names = new TreeSet<>(variables(spec));
        names.add(WorkerEnvironment.RESERVED);
        return names;
    }

    @Override
    public List<Problem> check(JobSpec spec) {
        List<Problem> problems = new ArrayList<>(atMostOne(spec, JobSpec.CHIEF));
        problems.addAll(companionNotWritten(spec));
        problems.addAll(elastic(spec));
        problems.addAll(standby(spec));
        if (spec.processesPerWorker() > 1) {
            problems.add(Problem.of(
                    "processesPerWorker",
                    "a " + kind().text() + " worker is one process, not " + spec.processesPerWorker(),
                    "1, and more workers"));
        }
        return problems;
    }

    /** A problem when the job has more than one member of a role that only one can play. */
    protected static List<Problem> atMostOne(JobSpec spec, String role) {
        int count = spec.roles().containsKey(role) ? spec.role(role).count() : 0;
        return count <= 1
                ? List.of()
                : List.of(Problem.of(
                        "roles." + role + ".count", "a job has at most one " + role + ", not " + count, "1"));
    }

    /** A problem when processes of the job are to be held ready and cannot be. */
    protected final List<Problem> standby(JobSpec spec) {
        return Ready.check(spec, module(spec).map(Ready::new));
    }

    /** What is wrong with the job when it is elastic: where nothing else is said, its group cannot change while it runs. */
    protected List<Problem> elastic(JobSpec spec) {
        return spec.elastic().stream()
                .map(elastic -> Problem.of(
                        "elastic",
                        "the number of workers of a " + spec.framework().text()
                                + " job cannot change while it runs; that of a horovod job can, of a pytorch job below torchrun, and of a"
                                + " tensorflow job with parameter servers and a sparse cluster",
                        "remove elastic"))
                .toList();
    }

    /** A problem when a role of the job has the name of the process that the framework adds itself. */
    protected static List<Problem> companionNotWritten(JobSpec spec) {
        return spec.companion().stream()
                .filter(spec.roles()::containsKey)
                .map(role -> Problem.of(
                        "roles." + role,
                        "Muster adds the process " + role + "-0 to each "
                                + spec.framework().text() + " job itself, so no role may have that name",
                        "another name"))
                .toList();
    }

    @Override
    public SuccessPolicy success(JobSpec spec) {
        return new SuccessPolicy.All();
    }

    @Override
    public RestartScope restartScope(JobSpec spec) {
        return RestartScope.GROUP;
    }

    @Override
    public final LaunchPlan plan(JobSpec spec, Group group) {
        Roster roster = Roster.of(spec, group, this, ranksPerMember(spec));
        Contract contract = contract(roster);
        Set<Member> seen = new HashSet<>();
        List<ProcessPlan> processes = new ArrayList<>();
        for (Slot slot : roster.slots()) {
            if (spec.isStandby(slot.name().role())) {
                processes.add(new Ready(module(spec).orElseThrow()).plan(roster, slot));
                continue;
            }
            Map<String, Template> env = WorkerEnvironment.of(roster, slot);
            env.putAll(contract.env(slot));
            processes.add(new ProcessPlan(
                    slot.name(),
                    slot.rank(),
                    slot.localRank(),
                    slot.isChief(),
                    contract.argv(slot, spec.role(slot.name().role()).command()),
                    env,
                    contract.files(slot),
                    seen.add(slot.name().member()) ? contract.ports(slot) : List.of(),
                    contract.join(slot),
                    contract.after(slot),
                    contract.isEssential(slot)));
        }
        return new LaunchPlan(roster.worldSize(), processes);
    }
}
