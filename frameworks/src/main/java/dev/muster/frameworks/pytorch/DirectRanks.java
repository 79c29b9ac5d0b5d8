package dev.muster.frameworks.pytorch;

import dev.muster.frameworks.Contract;
import dev.muster.frameworks.Coordinator;
import dev.muster.frameworks.Roster;
import dev.muster.frameworks.Slot;
import dev.muster.model.Join;
import dev.muster.model.Template;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One process a rank, with the variables that {@code init_process_group("env://")} reads and those that torchrun would set besides, so
 * that a script made for torchrun works as {@code python train.py}. A node is a worker: GROUP_RANK and NODE_RANK are its number.
 */
record DirectRanks(Coordinator master) implements Contract {
    static final Set<String> VARIABLES = Set.of(
            "MASTER_ADDR",
            "MASTER_PORT",
            "RANK",
            "WORLD_SIZE",
            "LOCAL_RANK",
            "LOCAL_WORLD_SIZE",
            "GROUP_RANK",
            "NODE_RANK");

    @Override
    public Map<String, Template> env(Slot slot) {
        if (!slot.isRanked()) {
            return Map.of();
        }
        Roster roster = master.roster();
        int node = roster.rankedMembers().indexOf(slot.name().member());
        Map<String, Template> env = new HashMap<>();
        env.put("MASTER_ADDR", master.host());
        env.put("MASTER_PORT", master.portNumber());
        env.put("RANK", number(slot.rank().getAsInt()));
        env.put("WORLD_SIZE", number(roster.worldSize()));
        env.put("LOCAL_RANK", number(slot.localRank().getAsInt()));
        env.put("LOCAL_WORLD_SIZE", number(roster.spec().processesPerWorker()));
        env.put("GROUP_RANK", number(node));
        env.put("NODE_RANK", number(node));
        return env;
    }

    static Template number(int number) {
        return Template.text(Integer.toString(number));
    }

    @Override
    public List<String> ports(Slot slot) {
        return master.ports(slot);
    }

    @Override
    public Join join(Slot slot) {
        return master.join(slot);
    }
}
