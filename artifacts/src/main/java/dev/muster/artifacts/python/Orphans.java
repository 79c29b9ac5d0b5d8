package dev.muster.artifacts.python;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What is left of a build whose service died: pip and its children go on. They carry the environment they build in a variable, and are
 * ended before another build begins in the same place.
 */
final class Orphans {
    static final String MARK = "MUSTER_BUILDS_ENVIRONMENT";

    private Orphans() {}

    static void end(Path environment) {
        String mark = "\0" + MARK + "=" + environment + "\0";
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                // The handle knows the start time, so a number given anew meanwhile is never signalled.
                Optional<ProcessHandle> handle =
                        ProcessHandle.of(Long.parseLong(process.getFileName().toString()));
                if (handle.isPresent() && variables(process).contains(mark)) {
                    handle.get().destroyForcibly();
                    handle.get().onExit().join();
                }
            }
        } catch (IOException noProc) {
            return;
        }
    }

    /** Whether a process was started with this environment, whoever may have started it; a process of another user is not seen. */
    static boolean anyRunsIn(Path environment) throws IOException {
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                if (variables(process).contains(environment + "/")
                        || variables(process).contains("=" + environment + "\0")) {
                    return true;
                }
            }
            return false;
        } catch (NoSuchFileException noProc) {
            return false;
        }
    }

    private static String variables(Path process) {
        try {
            return "\0" + new String(Files.readAllBytes(process.resolve("environ")), StandardCharsets.UTF_8);
        } catch (IOException notOurs) {
            return "";
        }
    }
}
