package dev.muster.backend.local;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A program that is run for its output and may not take long. */
final class BoundedCommand {
    private BoundedCommand() {}

    /** What it wrote; empty when it failed, wrote nothing or was not done in time, and was ended. */
    static Optional<String> output(Duration longest, List<String> command) {
        try {
            Path output = Files.createTempFile("muster-look", ".txt");
            try {
                Process process = new ProcessBuilder(command)
                        .redirectInput(new File("/dev/null"))
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
                if (!process.waitFor(longest.toMillis(), TimeUnit.MILLISECONDS)) {
                    process.destroyForcibly();
                    return Optional.empty();
                }
                String text = new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
                return process.exitValue() == 0 && !text.isBlank() ? Optional.of(text) : Optional.empty();
            } finally {
                Files.deleteIfExists(output);
            }
        } catch (IOException unrunnable) {
            return Optional.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    static void pause(long millis) throws IOException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while it was looked why processes do not go on", interrupted);
        }
    }
}
