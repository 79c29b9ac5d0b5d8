package dev.muster.backend.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * Finds out which control groups this service may make, by making its folder.
 *
 * @param mounts lines of {@code /proc/self/mountinfo} (proc(5))
 * @param own    lines of {@code /proc/self/cgroup}
 */
record CgroupDetection(List<String> mounts, List<String> own) {
    private static final String NAME = "muster";

    /** This process on this machine. */
    static CgroupDetection ofThisMachine() {
        try {
            return new CgroupDetection(
                    Files.readAllLines(Path.of("/proc/self/mountinfo")),
                    Files.readAllLines(Path.of("/proc/self/cgroup")));
        } catch (IOException without) {
            return new CgroupDetection(List.of(), List.of());
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
        if (mount.isEmpty()) {
            return Optional.empty();
        }
        Path top = mount.get().point();
        for (Path group = top.resolve(ownPath("")).normalize();
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

    /** The least of the memory limits the service itself is under; empty when it is under none. */
    OptionalLong memoryLimit() {
        return mounts.stream()
                .map(Mount::parse)
                .filter(mount ->
                        mount.type().equals("cgroup2") || mount.options().contains("memory"))
                .flatMapToLong(this::limits)
                .min();
    }

    private LongStream limits(Mount mount) {
        boolean version2 = mount.type().equals("cgroup2");
        String file = version2 ? "memory.max" : "memory.limit_in_bytes";
        Path group = mount.point().resolve(ownPath(version2 ? "" : "memory")).normalize();
        LongStream.Builder limits = LongStream.builder();
        for (Path above = group; above != null && above.startsWith(mount.point()); above = above.getParent()) {
            try {
                String limit = Files.readString(above.resolve(file)).strip();
                if (limit.matches("\\d{1,18}")) {
                    limits.add(Long.parseLong(limit));
                }
            } catch (IOException without) {
                // The top has no such file; in a container the service's own path may lie above what is mounted.
                continue;
            }
        }
        return limits.build();
    }

    /** The service's group in the hierarchy of a controller, relative to its top; the empty name is version 2. */
    private String ownPath(String controller) {
        return own.stream()
                .map(line -> line.split(":", 3))
                .filter(fields -> Arrays.asList(fields[1].split(",")).contains(controller))
                .map(fields -> fields[2].substring(1))
                .findFirst()
                .orElse("");
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
