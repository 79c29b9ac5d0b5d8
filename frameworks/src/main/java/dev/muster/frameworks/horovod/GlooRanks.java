package dev.muster.frameworks.horovod;

import dev.muster.frameworks.CommandLine;
import dev.muster.frameworks.Companion;
import dev.muster.frameworks.Contract;
import dev.muster.frameworks.Roster;
import dev.muster.frameworks.Slot;
import dev.muster.model.Command;
import dev.muster.model.Join;
import dev.muster.model.Part;
import dev.muster.model.ProcessName;
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
record GlooRanks(Companion store) implements Contract {
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
        Roster roster = store.roster();
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
        env.put("HOROVOD_CONTROLLER", Template.text("gloo"));
        env.put("HOROVOD_CPU_OPERATIONS", Template.text("gloo"));
        env.put("HOROVOD_GLOO_RENDEZVOUS_ADDR", store.host());
        env.put("HOROVOD_GLOO_RENDEZVOUS_PORT", store.portNumber());
        env.put(
                "HOROVOD_GLOO_TIMEOUT_SECONDS",
                number(Math.max(1, roster.spec().limits().startDeadline().toSeconds())));
        env.put("HOROVOD_GLOO_IFACE", Template.of(new Part.FactOf(Part.Fact.INTERFACE)));
        return env;
    }

    private int localSize() {
        return store.roster().spec().processesPerWorker();
    }

    private int hosts() {
        return store.roster().rankedMembers().size();
    }

    private static Template number(long number) {
        return Template.text(Long.toString(number));
    }

    @Override
    public List<Template> argv(Slot slot, Command command) {
        return store.is(slot)
                ? store.argv(List.of(
                        store.host(),
                        store.portNumber(),
                        number(store.roster().worldSize()),
                        number(localSize()),
                        number(hosts())))
                : CommandLine.of(command);
    }

    @Override
    public Map<String, Template> files(Slot slot) {
        return store.files(slot);
    }

    @Override
    public List<String> ports(Slot slot) {
        return store.ports(slot);
    }

    @Override
    public Join join(Slot slot) {
        return store.join(slot);
    }

    @Override
    public Set<ProcessName> after(Slot slot) {
        return store.after(slot);
    }

    @Override
    public boolean isEssential(Slot slot) {
        return store.is(slot);
    }
}
