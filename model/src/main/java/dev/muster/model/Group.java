package dev.muster.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many members each role has now; differs from the job text only for elastic jobs.
 *
 * @param counts members by role, in the order of the job's roles
 */
public record Group(Map<String, Integer> counts) {
    public Group {
        counts = Collections.unmodifiableMap(new LinkedHashMap<>(counts));
    }

    /** The group exactly as the job text asks for it. */
    public static Group of(JobSpec spec) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        spec.everyRole().forEach((role, roleSpec) -> counts.put(role, roleSpec.count()));
        return new Group(counts);
    }

    /**
     * The group at its largest: an elastic job's with all the workers it may ever have. What a member of it is given does not depend on how
     * many there are just now.
     */
    public static Group largest(JobSpec spec) {
        Map<String, Integer> counts = new LinkedHashMap<>(of(spec).counts());
        spec.elastic()
                .ifPresent(elastic ->
                        counts.computeIfPresent(JobSpec.WORKER, (role, count) -> Math.max(count, elastic.max())));
        return new Group(counts);
    }

    public boolean has(Member member) {
        return member.index() < count(member.role());
    }

    public int count(String role) {
        return counts.getOrDefault(role, 0);
    }
}
