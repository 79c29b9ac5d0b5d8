package dev.muster.cli.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether groups of processes may be made, and with which controllers: cgroup version 2 if it is there, else version 1. */
final class CgroupCheck {
    private static final String NAME = "cgroup";
    private static final String LACKING =
            "limits of memory and cpus are not enforced, and a process that leaves its session"
                    + " may outlive its job";
    private static final String FIX =
            "run muster as root, or in a scope of your own: systemd-run --user --scope -p Delegate=yes"
                    + " muster ... (after: muster local stop)";

    private final Path root;

    /**
     * @param root of the file system; another one in tests
     */
    CgroupCheck(Path root) {
        this.root = root;
    }

    Finding look() {
        Path mounted = root.resolve("sys/fs/cgroup");
        Optional<String> own = Probe.text(root.resolve("proc/self/cgroup"));
        if (own.isEmpty()) {
            return Finding.limited(NAME, "none on this system: " + LACKING, FIX);
        }
        return Files.exists(mounted.resolve("cgroup.controllers")) ? second(mounted, own.get()) : first(own.get());
    }

    private Finding second(Path mounted, String own) {
        String path = own.lines()
                .filter(line -> line.startsWith("0::"))
                .map(line -> line.substring("0::/".length()))
                .findFirst()
                .orElse("");
        Path group = mounted.resolve(path);
        if (!Files.isWritable(group) || !Files.isWritable(group.resolve("cgroup.procs"))) {
            return Finding.limited(NAME, "version 2, and " + group + " may not be written: " + LACKING, FIX);
        }
        List<String> controllers = List.of(Probe.text(group.resolve("cgroup.controllers"))
                .orElse("")
                .strip()
                .split(" "));
        List<String> lacking = new ArrayList<>(List.of("memory", "cpu"));
        lacking.removeAll(controllers);
        return lacking.isEmpty()
                ? Finding.ok(NAME, "version 2 at " + group + ", with memory and cpu")
                : Finding.limited(
                        NAME,
                        "version 2 at " + group + ", without " + String.join(" and ", lacking)
                                + ": limits of that are not enforced",
                        FIX);
    }

    private Finding first(String own) {
        Map<String, Boolean> writable = new LinkedHashMap<>();
        for (String controller : List.of("memory", "cpu", "freezer")) {
            Optional<Path> group = group(controller, own);
            writable.put(controller, group.isPresent() && Files.isWritable(group.get()));
        }
        List<String> lacking = writable.entrySet().stream()
                .filter(entry -> !entry.getValue())
                .map(Map.Entry::getKey)
                .toList();
        if (lacking.isEmpty()) {
            return Finding.ok(NAME, "version 1, with memory, cpu and freezer");
        }
        String detail = "version 1, and these may not be written: " + String.join(", ", lacking);
        return Finding.limited(NAME, detail + ": " + LACKING, FIX);
    }

    /** Where this process's group of a controller is mounted. */
    private Optional<Path> group(String controller, String own) {
        String path = "";
        for (String line : own.lines().toList()) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && List.of(parts[1].split(",")).contains(controller)) {
                path = parts[2];
            }
        }
        for (String mount :
                Probe.text(root.resolve("proc/self/mounts")).orElse("").lines().toList()) {
            String[] parts = mount.split(" ");
            if (parts.length > 3
                    && parts[2].equals(NAME)
                    && List.of(parts[3].split(",")).contains(controller)) {
                Path mounted = root.resolve(parts[1].substring(1));
                Path group = mounted.resolve(path.substring(Math.min(1, path.length())));
                // In a container the path is the host's, and the mount already shows the container's own group.
                return Optional.of(Files.isDirectory(group) ? group : mounted);
            }
        }
        return Optional.empty();
    }
}
