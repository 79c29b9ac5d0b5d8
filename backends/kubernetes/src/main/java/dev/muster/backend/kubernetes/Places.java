package dev.muster.backend.kubernetes;

import dev.muster.model.Group;
import dev.muster.model.JobSpec;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Member;
import dev.muster.model.Options;
import dev.muster.model.Placement;
import dev.muster.model.ProcessPlan;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Names and ports of members: the same for every attempt, so nothing is reserved and nothing can be lost. A pod has its ports for itself; with the
 * host's network the ports of a job all differ, and the scheduler keeps pods with the same ones apart.
 */
final class Places {
    private static final int FIRST_PORT = 20_000;
    private static final int PORTS = 10_000;

    private Places() {}

    static Placement of(String service, String namespace, JobSpec spec, LaunchPlan plan) {
        boolean hostNetwork =
                spec.options().network().map(Options.Network::hostNetwork).orElse(false);
        Set<Member> members = new TreeSet<>();
        plan.processes().stream().map(ProcessPlan::name).forEach(name -> members.add(name.member()));
        Map<Member, String> hosts = new HashMap<>();
        members.forEach(member -> hosts.put(member, host(service, spec, member) + "." + namespace + ".svc"));
        Map<Member, Map<String, Integer>> ports = new HashMap<>();
        int most = plan.ports().values().stream().mapToInt(List::size).max().orElse(0);
        for (Map.Entry<Member, List<String>> member : plan.ports().entrySet()) {
            Map<String, Integer> numbers = new HashMap<>();
            int at = hostNetwork ? Math.floorMod(service.hashCode(), PORTS) + most * number(spec, member.getKey()) : 0;
            for (String name : member.getValue()) {
                numbers.put(name, FIRST_PORT + at++ % PORTS);
            }
            ports.put(member.getKey(), numbers);
        }
        return new Placement(hosts, ports, Map.of());
    }

    /** Who is in whichever pod has become it has a Service of its own: a pod keeps the host name it was made with. */
    private static String host(String service, JobSpec spec, Member member) {
        return isLed(spec, member) ? Names.member(service, member) : Names.host(member) + "." + service;
    }

    /** Whether a Service of its own leads to the member. */
    static boolean isLed(JobSpec spec, Member member) {
        return spec.standby() > 0 && !spec.isStandby(member.role());
    }

    /** The number of a member among all that the group may ever have: it does not depend on who is there now. */
    private static int number(JobSpec spec, Member member) {
        int before = 0;
        for (Map.Entry<String, Integer> role : Group.largest(spec).counts().entrySet()) {
            if (role.getKey().equals(member.role())) {
                break;
            }
            before += role.getValue();
        }
        return before + member.index();
    }
}
