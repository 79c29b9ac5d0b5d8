package dev.muster.spi;

import java.util.Set;
import java.util.TreeSet;

/**
 * Projects that somebody may see.
 *
 * @param all   whether every project, whatever {@code names} says
 * @param names the ones that may be seen, otherwise
 */
public record Projects(boolean all, Set<String> names) {
    public static final Projects ALL = new Projects(true, Set.of());

    public Projects {
        names = Set.copyOf(names);
    }

    public static Projects of(Set<String> names) {
        return new Projects(false, names);
    }

    public static Projects of(String name) {
        return of(Set.of(name));
    }

    public boolean allow(String project) {
        return all || names.contains(project);
    }

    /** Those of both. */
    public Projects and(Projects other) {
        if (all) {
            return other;
        }
        Set<String> both = new TreeSet<>(names);
        both.removeIf(name -> !other.allow(name));
        return of(both);
    }
}
