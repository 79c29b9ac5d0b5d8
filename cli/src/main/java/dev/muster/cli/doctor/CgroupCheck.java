package dev.muster.cli.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Whether the service may make control groups, and with which controllers: those of version 1 where there are any, else version 2. */
final class CgroupCheck {
    private static final String NAME = "cgroup";
    private static final String LOOSE = "a process that leaves its session and its parent may outlive its job";
    private static final String LACKING = refused(List.of("memory", "cpus")) + ", and " + LOOSE;
    private static final String FIX =
            "run muster as root, or the service in a scope of its own: muster local stop, then"
                    + " systemd-run --user --scope -p Delegate=yes muster list";

    private final Path root;

    /**
     * @param root of the file system; another one in tests
     */
    CgroupCheck(Path root) {
        this.root = root;
    }

    /** A mounted hierarchy: where, of which type, with which options. */
    private record Mount(Path point, String type, List<String> options) {}

    Finding look() {
        List<Mount> mounts = mounts();
        List<String> writable = new ArrayList<>();
        List<String> lacking = new ArrayList<>();
        for (String controller : List.of("freezer", "memory", "cpu")) {
            boolean there = mounts.stream()
                    .anyMatch(mount -> mount.type().equals("cgroup")
                            && mount.options().contains(controller)
                            && Files.isWritable(mount.point()));
            (there ? writable : lacking).add(controller);
        }
        if (lacking.isEmpty()) {
            return Finding.ok(NAME, "version 1, with freezer, memory and cpu");
        }
        if (!writable.isEmpty()) {
            return Finding.limited(
                    NAME, "version 1, without " + String.join(" and ", lacking) + ": " + means(lacking), FIX);
        }
        return mounts.stream()
                .filter(mount -> mount.type().equals("cgroup2"))
                .findFirst()
                .map(this::second)
                .orElseGet(() -> Finding.limited(NAME, "none that may be written: " + LACKING, FIX));
    }

    private static String means(List<String> lacking) {
        List<String> limits = lacking.stream()
                .filter(controller -> !controller.equals("freezer"))
                .map(controller -> controller.equals("cpu") ? "cpus" : controller)
                .toList();
        if (limits.isEmpty()) {
            return LOOSE;
        }
        return refused(limits) + (lacking.contains("freezer") ? ", and " + LOOSE : "");
    }

    private static String refused(List<String> limits) {
        return "jobs that ask for " + String.join(" or ", limits) + " are refused on backend local";
    }

    /** The nearest group above this process below which others can live. */
    private Finding second(Mount mount) {
        Path own = mount.point().resolve(ownPath()).normalize();
        for (Path group = own; group != null && group.startsWith(mount.point()); group = group.getParent()) {
            List<String> controllers = List.of(Probe.text(group.resolve("cgroup.controllers"))
                    .orElse("")
                    .strip()
                    .split(" "));
            if (Files.isWritable(group.resolve("cgroup.procs"))
                    && Files.isWritable(group.resolve("cgroup.subtree_control"))
                    && controllers.containsAll(List.of("cpu", "memory"))) {
                return Finding.ok(NAME, "version 2 below " + group + ", with memory and cpu");
            }
        }
        return Finding.limited(NAME, "version 2, and no group above this process may be written: " + LACKING, FIX);
    }

    private String ownPath() {
        for (String line :
                Probe.text(root.resolve("proc/self/cgroup")).orElse("").lines().toList()) {
            if (line.startsWith("0::/")) {
                return line.substring("0::/".length());
            }
        }
        return "";
    }

    private List<Mount> mounts() {
        List<Mount> mounts = new ArrayList<>();
        for (String line :
                Probe.text(root.resolve("proc/self/mounts")).orElse("").lines().toList()) {
            String[] parts = line.split(" ");
            if (parts.length > 3 && parts[2].startsWith("cgroup")) {
                mounts.add(new Mount(root.resolve(parts[1].substring(1)), parts[2], List.of(parts[3].split(","))));
            }
        }
        return mounts;
    }
}
