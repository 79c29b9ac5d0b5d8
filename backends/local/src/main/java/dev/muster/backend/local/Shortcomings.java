package dev.muster.backend.local;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What this machine does not let the local backend promise, each as a sentence with what can be done; for {@code doctor}. */
final class Shortcomings {
    private static final Path EPHEMERAL = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
    private static final String CGROUPS =
            "run the service as root or below systemd's user manager (systemd-run --user --scope)";

    private static final int LARGE_ENOUGH = 100;

    private Shortcomings() {}

    static List<String> of(LocalConfig config) {
        List<String> found = new ArrayList<>();
        Cgroups cgroups = config.cgroups();
        if (!cgroups.limitsCpu() || !cgroups.limitsMemory()) {
            found.add("Limits of cpus and memory cannot be enforced, jobs with them are refused: " + CGROUPS + ".");
        }
        if (!cgroups.holdsProcesses()) {
            boolean adopts =
                    config.subreaper() && Subreaper.command(Programs.ofSystem()).isPresent();
            found.add(
                    adopts
                            ? "A process with a session of its own and an empty environment outlives its job when the job's shim is"
                                    + " killed by somebody else: " + CGROUPS + "."
                            : "A process with a session of its own and an empty environment outlives its job: "
                                    + CGROUPS + ", or install perl or python3.");
        }
        portRange()
                .filter(range -> range[0] <= config.lastPort() && range[1] >= config.firstPort())
                .ifPresent(range -> found.add("The kernel gives ports " + range[0] + " to " + range[1]
                        + " to outgoing connections, among them those of jobs (" + config.firstPort() + " to "
                        + config.lastPort() + "), so a port may be lost: set net.ipv4.ip_local_port_range apart."));
        // The JVM names files by the locale, not by file.encoding.
        if (!Charset.forName(System.getProperty("sun.jnu.encoding"), StandardCharsets.US_ASCII)
                .equals(StandardCharsets.UTF_8)) {
            found.add(
                    "Files with other than ASCII letters in their names cannot be opened: start the service with LC_ALL=C.UTF-8.");
        }
        return found;
    }

    private static Optional<int[]> portRange() {
        // Such a file gives everything to the first read and nothing to a second, so that one must be large enough.
        try (InputStream file = Files.newInputStream(EPHEMERAL)) {
            String[] words = new String(file.readNBytes(LARGE_ENOUGH), StandardCharsets.US_ASCII)
                    .strip()
                    .split("\\s+");
            return Optional.of(new int[] {Integer.parseInt(words[0]), Integer.parseInt(words[1])});
        } catch (IOException unknown) {
            return Optional.empty();
        }
    }
}
