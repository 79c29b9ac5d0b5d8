package dev.muster.control;

import dev.muster.model.BackendKind;
import dev.muster.model.FrameworkKind;
import dev.muster.model.JobSpec;
import dev.muster.spi.Backend;
import dev.muster.spi.CheckpointCatalogue;
import dev.muster.spi.Framework;
import dev.muster.spi.JobStore;
import dev.muster.spi.ModelRegistry;
import dev.muster.spi.PythonEnvironments;
import dev.muster.spi.Telemetry;
import java.util.Map;
import java.util.Optional;

/** The parts of the house that the control plane drives. */
public record Ports(
        JobStore store,
        Map<BackendKind, Backend> backends,
        Map<FrameworkKind, Framework> frameworks,
        PythonEnvironments environments,
        CheckpointCatalogue checkpoints,
        ModelRegistry models,
        Telemetry telemetry) {
    public Ports {
        backends = Map.copyOf(backends);
        frameworks = Map.copyOf(frameworks);
    }

    /** The backend of the job. */
    Backend backend(JobSpec spec) {
        return Optional.ofNullable(backends.get(spec.backend()))
                .orElseThrow(() -> new IllegalStateException(
                        "this service has no backend " + spec.backend().text() + " for job " + spec.name()));
    }

    /** The framework of the job. */
    Framework framework(JobSpec spec) {
        return Optional.ofNullable(frameworks.get(spec.framework()))
                .orElseThrow(() -> new IllegalStateException(
                        "this service has no framework " + spec.framework().text() + " for job " + spec.name()));
    }
}
