package dev.muster.model;

import java.util.Map;
import java.util.TreeMap;

/**
 * Where the members of a group live during one attempt of it.
 *
 * @param hosts address of each member, as its peers reach it
 * @param ports port number by member and port name
 * @param gpus  devices given to each member, as the framework's visible-devices variable takes them; absent for none
 */
public record Placement(Map<Member, String> hosts, Map<Member, Map<String, Integer>> ports, Map<Member, String> gpus) {
    public static final Placement NONE = new Placement(Map.of(), Map.of(), Map.of());

    public Placement {
        hosts = new TreeMap<>(hosts);
        ports = new TreeMap<>(ports);
        gpus = new TreeMap<>(gpus);
    }

    /** The placement without one member. */
    public Placement without(Member member) {
        Placement rest = new Placement(hosts, ports, gpus);
        rest.hosts.remove(member);
        rest.ports.remove(member);
        rest.gpus.remove(member);
        return rest;
    }

    /** This placement with members who are new. */
    public Placement and(Placement others) {
        Placement all = new Placement(hosts, ports, gpus);
        all.hosts.putAll(others.hosts);
        all.ports.putAll(others.ports);
        all.gpus.putAll(others.gpus);
        return all;
    }

    /** Whether every member of this placement lives in the other just as here. */
    public boolean isPartOf(Placement other) {
        return other.hosts.entrySet().containsAll(hosts.entrySet())
                && other.ports.entrySet().containsAll(ports.entrySet())
                && other.gpus.entrySet().containsAll(gpus.entrySet());
    }
}
