package dev.muster.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Processes of this machine told by an entry of the environment they were started with, whoever their parent is. */
public final class Marked {
    private Marked() {}

    /** Pids of the processes that have {@code NAME=value} in {@code /proc/PID/environ}. */
    public static Set<Long> processes(String entry) {
        Set<Long> found = new TreeSet<>();
        try (Stream<Path> entries = Files.list(Path.of("/proc"))) {
            entries.filter(path -> path.getFileName().toString().matches("\\d+"))
                    .filter(path -> has(path, entry))
                    .forEach(path -> found.add(Long.parseLong(path.getFileName().toString())));
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
        return found;
    }

    private static boolean has(Path process, String entry) {
        try {
            String environ = new String(Files.readAllBytes(process.resolve("environ")), StandardCharsets.UTF_8);
            return ("\0" + environ + "\0").contains("\0" + entry + "\0");
        } catch (IOException gone) {
            return false;
        }
    }
}
