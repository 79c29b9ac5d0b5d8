package dev.muster.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What has to be started for a job, as a value: the same for every backend.
 *
 * @param worldSize number of ranked processes; of an elastic group, of all that it may have
 * @param processes all processes, chief first, then in the order of roles, indexes and local ranks
 */
public record LaunchPlan(int worldSize, List<ProcessPlan> processes) {
    public LaunchPlan {
        processes = List.copyOf(processes);
    }

    /** The named process. */
    public Optional<ProcessPlan> process(ProcessName name) {
        return processes.stream().filter(plan -> plan.name().equals(name)).findFirst();
    }

    /** The plan of those processes only. */
    public LaunchPlan of(Predicate<ProcessName> names) {
        return new LaunchPlan(
                worldSize,
                processes.stream().filter(plan -> names.test(plan.name())).toList());
    }

    /** The plan of that part of the group. */
    public LaunchPlan of(Group group) {
        return of(name -> group.has(name.member()));
    }

    /** The ports each member needs, in the order of members. */
    public Map<Member, List<String>> ports() {
        Map<Member, List<String>> ports = new TreeMap<>();
        for (ProcessPlan plan : processes) {
            ports.merge(plan.name().member(), plan.ports(), (first, later) -> first.isEmpty() ? later : first);
        }
        return ports;
    }
}
