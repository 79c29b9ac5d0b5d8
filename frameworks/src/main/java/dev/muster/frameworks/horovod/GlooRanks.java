package dev.muster.frameworks.horovod;

import dev.muster.frameworks.Companion;
import dev.muster.frameworks.CompanionContract;
import dev.muster.frameworks.Roster;
import dev.muster.frameworks.Slot;
import dev.muster.model.Part;
import dev.muster.model.Template;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One process a rank with the variables that Horovod's core reads in place of horovodrun's. Horovod tells hosts apart by
 * HOROVOD_HOSTNAME alone, and uses it as a name in the store only, so it is the worker's name: workers that share an address stay
 * hosts of their own, and names with dots cannot be cut.
 */
record GlooRanks(Companion companion) implements CompanionContract {
    static final Set<String> VARIABLES = Set.of(
            "HOROVOD_RANK",
            "HOROVOD_SIZE",
            "HOROVOD_LOCAL_RANK",
            "HOROVOD_LOCAL_SIZE",
            "HOROVOD_CROSS_RANK",
            "HOROVOD_CROSS_SIZE",
            "HOROVOD_HOSTNAME",
            "HOROVOD_CONTROLLER",
            "HOROVOD_CPU_OPERATIONS",
            "HOROVOD_GLOO_RENDEZVOUS_ADDR",
            "HOROVOD_GLOO_RENDEZVOUS_PORT",
            "HOROVOD_GLOO_TIMEOUT_SECONDS",
            "HOROVOD_GLOO_IFACE");

    @Override
    public Map<String, Template> env(Slot slot) {
        if (!slot.isRanked()) {
            return Map.of();
        }
        Roster roster = companion.roster();
        Map<String, Template> env = new HashMap<>();
        env.put("HOROVOD_RANK", number(slot.rank().getAsInt()));
        env.put("HOROVOD_SIZE", number(roster.worldSize()));
        env.put("HOROVOD_LOCAL_RANK", number(slot.localRank().getAsInt()));
        env.put("HOROVOD_LOCAL_SIZE", number(localSize()));
        env.put(
                "HOROVOD_CROSS_RANK",
                number(roster.rankedMembers().indexOf(slot.name().member())));
        env.put("HOROVOD_CROSS_SIZE", number(hosts()));
        env.put("HOROVOD_HOSTNAME", Template.text(slot.name().member().toString()));
        env.putAll(meeting(
                companion, Math.max(1, roster.spec().limits().startDeadline().toSeconds())));
        return env;
    }

    /**
     * How ranks find each other, whoever they are.
     *
     * @param timeout seconds that one waits for another
     */
    static Map<String, Template> meeting(Companion companion, long timeout) {
        Map<String, Template> env = new HashMap<>();
        env.put("HOROVOD_CONTROLLER", Template.text("gloo"));
        env.put("HOROVOD_CPU_OPERATIONS", Template.text("gloo"));
        env.put("HOROVOD_GLOO_RENDEZVOUS_ADDR", companion.host());
        env.put("HOROVOD_GLOO_RENDEZVOUS_PORT", companion.portNumber());
        env.put("HOROVOD_GLOO_TIMEOUT_SECONDS", number(timeout));
        env.put("HOROVOD_GLOO_IFACE", Template.of(new Part.FactOf(Part.Fact.INTERFACE)));
        return env;
    }

    private int localSize() {
        return companion.roster().spec().processesPerWorker();
    }

    private int hosts() {
        return companion.roster().rankedMembers().size();
    }

    private static Template number(long number) {
        return Template.text(Long.toString(number));
    }

    @Override
    public List<Template> companionArguments() {
        return List.of(
                companion.host(),
                companion.portNumber(),
                number(companion.roster().worldSize()),
                number(localSize()),
                number(hosts()));
    }
}
