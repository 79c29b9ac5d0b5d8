package dev.muster.backend.kubernetes;

import dev.muster.model.Cause;
import dev.muster.spi.BackendException;
import dev.muster.spi.CodeStore;
import dev.muster.spi.Launch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Whether what a launch says is delivered into its pod is there. */
final class Deliverable {
    private Deliverable() {}

    static void check(Launch launch, CodeStore code) throws BackendException {
        for (Map.Entry<String, String> data : launch.spec().data().entrySet()) {
            Path source = Renderer.source(launch.folder(), data.getValue());
            if (!Files.exists(source)) {
                throw Failures.refused(
                        Cause.LAUNCH_FAILED,
                        "data." + data.getKey() + " is not there: " + source
                                + " (put the data there, or correct the path; it is read from the folder of the job file)");
            }
        }
        Optional<String> digest = launch.codeDigest();
        if (digest.isPresent() && !code.has(digest.get())) {
            throw Failures.refused(
                    Cause.LAUNCH_FAILED,
                    "there is no snapshot of the code (" + digest.get() + "): submit the job again");
        }
    }
}
