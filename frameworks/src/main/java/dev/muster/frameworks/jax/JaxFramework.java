package dev.muster.frameworks.jax;

import dev.muster.frameworks.Contract;
import dev.muster.frameworks.Coordinator;
import dev.muster.frameworks.GroupFramework;
import dev.muster.frameworks.Roster;
import dev.muster.frameworks.Slot;
import dev.muster.model.FrameworkKind;
import dev.muster.model.JobSpec;
import dev.muster.model.Join;
import dev.muster.model.Template;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * JAX: the three arguments of {@code jax.distributed.initialize} as variables, each with the prefix that JAX and most scripts read
 * and without it. The coordinator runs in rank 0. They are set for a job of one process too, so that a script needs no special case.
 */
public final class JaxFramework extends GroupFramework {
    private static final String COORDINATOR_ADDRESS = "COORDINATOR_ADDRESS";
    private static final String NUM_PROCESSES = "NUM_PROCESSES";
    private static final String PROCESS_ID = "PROCESS_ID";
    private static final String PREFIX = "JAX_";

    @Override
    public FrameworkKind kind() {
        return FrameworkKind.JAX;
    }

    @Override
    protected Set<String> variables(JobSpec spec) {
        return Set.of(
                COORDINATOR_ADDRESS,
                NUM_PROCESSES,
                PROCESS_ID,
                PREFIX + COORDINATOR_ADDRESS,
                PREFIX + NUM_PROCESSES,
                PREFIX + PROCESS_ID);
    }

    @Override
    protected Optional<String> module(JobSpec spec) {
        return Optional.of("jax");
    }

    @Override
    protected Contract contract(Roster roster) {
        return new Processes(new Coordinator(roster, "coordinator"));
    }

    private record Processes(Coordinator coordinator) implements Contract {
        @Override
        public Map<String, Template> env(Slot slot) {
            Map<String, Template> env = new HashMap<>();
            slot.rank().ifPresent(rank -> {
                set(env, COORDINATOR_ADDRESS, coordinator.address());
                set(env, NUM_PROCESSES, Template.text("" + coordinator.roster().worldSize()));
                set(env, PROCESS_ID, Template.text("" + rank));
            });
            return env;
        }

        private static void set(Map<String, Template> env, String name, Template value) {
            env.put(name, value);
            env.put(PREFIX + name, value);
        }

        @Override
        public List<String> ports(Slot slot) {
            return coordinator.ports(slot);
        }

        @Override
        public Join join(Slot slot) {
            return coordinator.join(slot);
        }
    }
}
