package dev.muster.backend.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Finds out which control groups this service may make, by making its folder.
 *
 * @param mounts lines of {@code /proc/self/mountinfo} (proc(5))
 * @param own    lines of {@code /proc/self/cgroup}
 */
record CgroupDetection(List<String> mounts, List<String> own) {
    private static final String NAME = "muster";

    /** The groups of this machine. */
    static Cgroups ofThisMachine() {
        try {
            return new CgroupDetection(
                            Files.readAllLines(Path.of("/proc/self/mountinfo")),
                            Files.readAllLines(Path.of("/proc/self/cgroup")))
                    .detect();
        } catch (IOException without) {
            return new Cgroups.None();
        }
    }

    Cgroups detect() {
        Optional<Path> freezer = version1("freezer");
        Optional<Path> memory = version1("memory");
        Optional<Path> cpu = version1("cpu");
        if (freezer.isPresent() || memory.isPresent() || cpu.isPresent()) {
            return new Cgroups.Version1(freezer, memory, cpu);
        }
        return version2().<Cgroups>map(Cgroups.Version2::new).orElse(new Cgroups.None());
    }

    private Optional<Path> version1(String controller) {
        return mounts.stream()
                .map(Mount::parse)
                .filter(mount ->
                        mount.type().equals("cgroup") && mount.options().contains(controller))
                .findFirst()
                .map(mount -> mount.point().resolve(NAME))
                .filter(CgroupDetection::canMake);
    }

    private Optional<Path> version2() {
        Optional<Mount> mount = mounts.stream()
                .map(Mount::parse)
                .filter(candidate -> candidate.type().equals("cgroup2"))
                .findFirst();
        Optional<String> path = own.stream()
                .filter(line -> line.startsWith("0::/"))
                .map(line -> line.substring("0::/".length()))
                .findFirst();
        if (mount.isEmpty() || path.isEmpty()) {
            return Optional.empty();
        }
        Path top = mount.get().point();
        for (Path group = top.resolve(path.get()).normalize();
                group != null && group.startsWith(top);
                group = group.getParent()) {
            if (hosts(group)) {
                return Optional.of(group.resolve(NAME));
            }
        }
        return Optional.empty();
    }

    /** Whether attempts can live below this group: its controllers reach down, and processes may be moved across it. */
    private static boolean hosts(Path group) {
        if (!Files.isWritable(group.resolve("cgroup.procs"))) {
            return false;
        }
        // Controllers reach down only from a group without processes of its own, or from the root.
        turnOn(group);
        if (!hasControllers(group) || !canMake(group.resolve(NAME))) {
            return false;
        }
        turnOn(group.resolve(NAME));
        return hasControllers(group.resolve(NAME));
    }

    private static void turnOn(Path group) {
        try {
            if (!hasControllers(group)) {
                Files.writeString(group.resolve("cgroup.subtree_control"), "+cpu +memory");
            }
        } catch (IOException refused) {
            // hasControllers tells.
            return;
        }
    }

    private static boolean hasControllers(Path group) {
        try {
            String on = Files.readString(group.resolve("cgroup.subtree_control"));
            return Arrays.asList(on.strip().replace("+", "").split(" ")).containsAll(List.of("cpu", "memory"));
        } catch (IOException without) {
            return false;
        }
    }

    private static boolean canMake(Path folder) {
        try {
            Files.createDirectories(folder);
            return Files.isWritable(folder);
        } catch (IOException refused) {
            return false;
        }
    }

    private record Mount(Path point, String type, List<String> options) {
        static Mount parse(String line) {
            String[] halves = line.split(" - ", 2);
            String[] after = halves[1].split(" ");
            return new Mount(Path.of(halves[0].split(" ")[4]), after[0], Arrays.asList(after[2].split(",")));
        }
    }
}
