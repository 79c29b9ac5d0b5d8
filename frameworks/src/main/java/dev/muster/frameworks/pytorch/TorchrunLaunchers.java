package dev.muster.frameworks.pytorch;

import static dev.muster.frameworks.pytorch.DirectRanks.number;

import dev.muster.frameworks.CommandLine;
import dev.muster.frameworks.Contract;
import dev.muster.frameworks.Coordinator;
import dev.muster.frameworks.Slot;
import dev.muster.model.Command;
import dev.muster.model.JobSpec;
import dev.muster.model.Join;
import dev.muster.model.Part;
import dev.muster.model.Part.Fact;
import dev.muster.model.Template;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One torchrun a worker. Torchrun takes every option it was not given on its command line from PET_ and the option's name; those used
 * here exist from PyTorch 1.13 on.
 *
 * <p>The group meets by static rendezvous: the first launcher serves the store at the address Muster reserved, node ranks are
 * Muster's, so rank 0 lives where MASTER_ADDR says; torchrun's own restarts are 0 since Muster restarts the group. An elastic group is
 * one of {@link ElasticLaunchers}.
 */
record TorchrunLaunchers(Coordinator master) implements Contract {
    static final Set<String> VARIABLES = Set.of(
            "PET_NNODES",
            "PET_NPROC_PER_NODE",
            "PET_NODE_RANK",
            "PET_MASTER_ADDR",
            "PET_MASTER_PORT",
            "PET_RDZV_BACKEND",
            "PET_RDZV_ENDPOINT",
            "PET_RDZV_ID",
            "PET_RDZV_CONF",
            "PET_MAX_RESTARTS");

    /** What a launcher is told whichever way the group meets. */
    static Map<String, Template> common(JobSpec spec) {
        Map<String, Template> env = new HashMap<>();
        env.put("PET_NPROC_PER_NODE", number(spec.processesPerWorker()));
        env.put("PET_RDZV_ID", Template.of(new Part.FactOf(Fact.JOB_ID)));
        return env;
    }

    @Override
    public Map<String, Template> env(Slot slot) {
        if (!slot.isRanked()) {
            return Map.of();
        }
        Map<String, Template> env = common(master.roster().spec());
        env.put("PET_RDZV_BACKEND", Template.text("static"));
        env.put("PET_NNODES", number(master.roster().worldSize()));
        env.put("PET_NODE_RANK", number(slot.rank().getAsInt()));
        env.put("PET_MASTER_ADDR", master.host());
        env.put("PET_MASTER_PORT", master.portNumber());
        env.put("PET_MAX_RESTARTS", number(0));
        return env;
    }

    @Override
    public List<Template> argv(Slot slot, Command command) {
        return slot.isRanked() ? TorchrunCommand.of(command) : CommandLine.of(command);
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
