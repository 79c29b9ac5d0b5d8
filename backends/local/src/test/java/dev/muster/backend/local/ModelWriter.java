package dev.muster.backend.local;

import java.nio.file.Files;
import java.nio.file.Path;

/** A training program on the JVM that does nothing but write its model. */
final class ModelWriter {
    private ModelWriter() {}

    public static void main(String[] arguments) throws Exception {
        Path model = Path.of(System.getenv("MUSTER_MODEL_DIR"), "модель.bin");
        Files.writeString(model, "trained");
        System.out.println(model);
    }
}
