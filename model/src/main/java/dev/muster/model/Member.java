package dev.muster.model;

import java.util.Comparator;

/**
 * One place of the worker group: a host of its own on a cluster, the unit that has an address and reserved ports.
 *
 * @param role  role as in the job text
 * @param index place inside the role, from 0
 */
public record Member(String role, int index) implements Comparable<Member> {
    private static final Comparator<Member> ORDER =
            Comparator.comparing(Member::role).thenComparingInt(Member::index);

    @Override
    public int compareTo(Member other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return role + "-" + index;
    }
}
