package dev.muster.model;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One process of a launch plan: everything it is given, complete. Nothing else reaches the process than what stands here and the
 * backend's documented base variables.
 *
 * @param name      the process
 * @param rank      its rank among chief and worker processes; absent for others
 * @param localRank its rank on its worker; absent where rank is
 * @param chief     whether its model folder is the one that is published
 * @param argv      program and arguments; an argument whose template renders to nothing is left out
 * @param env       variables; one whose template renders to nothing is not set
 * @param files     files made in its working folder before it starts, by relative path
 * @param ports     names of the ports reserved for its member; given once a member, with its first process
 * @param join      how it shows that it has joined
 * @param after     the processes that have to have joined before this one is started
 * @param essential whether the others cannot do without it though it is a sidecar: they wait for it, and its failure is the group's
 */
public record ProcessPlan(
        ProcessName name,
        OptionalInt rank,
        OptionalInt localRank,
        boolean chief,
        List<Template> argv,
        Map<String, Template> env,
        Map<String, Template> files,
        List<String> ports,
        Join join,
        Set<ProcessName> after,
        boolean essential) {
    public ProcessPlan {
        argv = List.copyOf(argv);
        env = Collections.unmodifiableMap(new TreeMap<>(env));
        files = Collections.unmodifiableMap(new TreeMap<>(files));
        ports = List.copyOf(ports);
        after = Collections.unmodifiableSet(new TreeSet<>(after));
    }

    /** A process that waits for nobody. */
    public ProcessPlan(
            ProcessName name,
            OptionalInt rank,
            OptionalInt localRank,
            boolean chief,
            List<Template> argv,
            Map<String, Template> env,
            Map<String, Template> files,
            List<String> ports,
            Join join) {
        this(name, rank, localRank, chief, argv, env, files, ports, join, Set.of(), false);
    }
}
