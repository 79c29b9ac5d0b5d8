package dev.muster.artifacts.models;

import dev.muster.model.JobId;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** A process of its own that publishes a model and dies, as by kill -9, before the step whose number it is given. */
final class ModelSteps {
    static final int DIED = 77;

    private ModelSteps() {}

    public static void main(String[] arguments) throws Exception {
        int dieBefore = Integer.parseInt(arguments[2]);
        AtomicInteger step = new AtomicInteger();
        FolderModelRegistry registry =
                new FolderModelRegistry(Path.of(arguments[0]), () -> Instant.parse("2026-01-01T00:00:00Z"), name -> {
                    if (step.incrementAndGet() == dieBefore) {
                        System.out.println(name);
                        System.out.flush();
                        Runtime.getRuntime().halt(DIED);
                    }
                });
        registry.publish(new JobId("j1"), "cnn", Path.of(arguments[1]), Map.of());
    }
}
