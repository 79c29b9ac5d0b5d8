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
}
