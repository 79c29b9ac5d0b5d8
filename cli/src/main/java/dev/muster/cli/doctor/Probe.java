package dev.muster.cli.doctor;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Small looks at the machine. */
final class Probe {
    private static final long PATIENCE_SECONDS = 20;
    private static final int LARGEST = 1 << 20;

    private Probe() {}

    /**
     * What a program prints.
     *
     * @return empty when it cannot be run, fails or takes too long
     */
    static Optional<String> output(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(new File("/dev/null"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return Optional.empty();
            }
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.exitValue() == 0 ? Optional.of(text.strip()) : Optional.empty();
        } catch (IOException cannotRun) {
            return Optional.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** The content of a small file such as those of /proc; empty when it is not there or may not be read. */
    static Optional<String> text(Path file) {
        // In one read: files of /proc/sys give their content only to a read from the beginning, whatever size they
        // claim.
        try (InputStream in = Files.newInputStream(file)) {
            return Optional.of(new String(in.readNBytes(LARGEST), StandardCharsets.UTF_8));
        } catch (IOException notToBeHad) {
            return Optional.empty();
        }
    }
}
