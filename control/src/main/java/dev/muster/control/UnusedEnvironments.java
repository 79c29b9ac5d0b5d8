package dev.muster.control;

import dev.muster.model.JobRecord;
import dev.muster.model.RoleSpec;
import dev.muster.spi.Backend;
import dev.muster.spi.PythonEnvironments;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/** Has Python environments removed that no job has used for long, beside the loop. */
final class UnusedEnvironments {
    private final Ports ports;
    private final Surroundings surroundings;

    UnusedEnvironments(Ports ports, Surroundings surroundings) {
        this.ports = ports;
        this.surroundings = surroundings;
    }

    void remove() {
        surroundings.slow().execute(() -> {
            try {
                ports.environments().removeUnused(inUse());
            } catch (IOException | RuntimeException e) {
                surroundings.monitor().retrying("removing Python environments that no job uses", e);
            }
        });
    }

    private Set<PythonEnvironments.Use> inUse() {
        Set<PythonEnvironments.Use> uses = new HashSet<>();
        for (JobRecord job : ports.store().live()) {
            Backend backend = ports.backends().get(job.spec().backend());
            if (backend == null || backend.hasOwnPython()) {
                continue;
            }
            for (RoleSpec role : job.spec().roles().values()) {
                uses.add(new PythonEnvironments.Use(role.environment(), job.origin()));
            }
        }
        return uses;
    }
}
