package dev.muster.frameworks.pytorch;

import static dev.muster.frameworks.pytorch.DirectRanks.number;

import dev.muster.frameworks.CommandLine;
import dev.muster.frameworks.Companion;
import dev.muster.frameworks.CompanionContract;
import dev.muster.frameworks.Roster;
import dev.muster.frameworks.ScriptRunner;
import dev.muster.frameworks.Slot;
import dev.muster.model.Command;
import dev.muster.model.Elastic;
import dev.muster.model.JobSpec;
import dev.muster.model.Join;
import dev.muster.model.Template;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One torchrun a worker of a group that may grow and shrink. They meet by c10d in a store that a companion serves, so that any of them may
 * go; what a launcher is told does not depend on how many there are.
 *
 * <p>When a worker goes or comes, every torchrun starts its ranks anew, by itself. Whether a rank failed for want of a peer shows only in
 * the next round, so torchrun may try once more than {@code restart.max} says; {@code torchrun.py} takes back what a lost peer cost.
 */
record ElasticLaunchers(Companion companion) implements CompanionContract {
    /** Where the program that starts torchrun lies. */
    private static final String LAUNCHER = ".muster/torchrun.py";

    /** And what it starts ranks with, under a name that no module of a user has. */
    private static final String RANKS = ".muster/_muster_ranks.py";

    /** How long those who are there wait for the rest, once they are enough. */
    private static final int LAST_CALL_SECONDS = 2;

    static ElasticLaunchers of(Roster roster) {
        return new ElasticLaunchers(Companion.of(roster, "rendezvous", ElasticLaunchers.class, "store.py"));
    }

    @Override
    public Map<String, Template> env(Slot slot) {
        if (!slot.isRanked()) {
            return Map.of();
        }
        JobSpec spec = companion.roster().spec();
        Elastic bounds = spec.elastic().orElseThrow();
        int chiefs = companion.roster().group().count(JobSpec.CHIEF);
        Map<String, Template> env = new HashMap<>(TorchrunLaunchers.common(spec));
        env.put("PET_RDZV_BACKEND", Template.text("c10d"));
        env.put("PET_NNODES", Template.text((bounds.min() + chiefs) + ":" + (bounds.max() + chiefs)));
        env.put("PET_RDZV_ENDPOINT", companion.address());
        env.put("PET_RDZV_CONF", Template.text(settings(spec)));
        env.put("PET_MAX_RESTARTS", number(spec.restart().max() + 1));
        return env;
    }

    /** Who waits for peers longer than startDeadline is ended by Muster, which says who is missing. */
    private static String settings(JobSpec spec) {
        long join = spec.limits().startDeadline().toSeconds() + 60;
        return "is_host=false,join_timeout=" + join + ",last_call_timeout=" + LAST_CALL_SECONDS
                + ",keep_alive_interval=1,keep_alive_max_attempt=5";
    }

    @Override
    public List<Template> argv(Slot slot, Command command) {
        if (companion.is(slot)) {
            return companion.argv(companionArguments());
        }
        return slot.isRanked() ? TorchrunCommand.of(command, List.of(LAUNCHER)) : CommandLine.of(command);
    }

    @Override
    public List<Template> companionArguments() {
        return List.of(companion.host(), companion.portNumber());
    }

    @Override
    public Map<String, Template> files(Slot slot) {
        if (!slot.isRanked()) {
            return companion.files(slot);
        }
        Map<String, Template> files = new HashMap<>(ScriptRunner.files());
        files.put(LAUNCHER, Template.text(Companion.text(ElasticLaunchers.class, "torchrun.py")));
        files.put(RANKS, Template.text(Companion.text(ElasticLaunchers.class, "ranks.py")));
        return files;
    }

    @Override
    public Join join(Slot slot) {
        return companion.connected(slot);
    }
}
