package dev.muster.artifacts.models;

import dev.muster.model.JobId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;

/** A service of its own that publishes several versions of one model. */
final class PublishesModels {
    private PublishesModels() {}

    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]);
        FolderModelRegistry registry = new FolderModelRegistry(home, () -> Instant.EPOCH);
        for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
            String job = arguments[1] + i;
            Path model =
                    Files.createDirectories(home.resolve("jobs").resolve(job).resolve("model"));
            Files.writeString(model.resolve("w"), job);
            registry.publish(new JobId(job), "cnn", model, Map.of());
        }
    }
}
