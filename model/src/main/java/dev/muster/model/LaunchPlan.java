package dev.muster.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What has to be started for a job, as a value: the same for every backend.
 *
 * @param worldSize number of ranked processes
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

    /** The ports each member needs, in the order of members. */
    public Map<Member, List<String>> ports() {
        Map<Member, List<String>> ports = new TreeMap<>();
        for (ProcessPlan plan : processes) {
            ports.merge(plan.name().member(), plan.ports(), (first, later) -> first.isEmpty() ? later : first);
        }
        return ports;
    }
}
