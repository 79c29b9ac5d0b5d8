package dev.muster.backend.local;

import dev.muster.model.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The control groups this service may make: one for each attempt, to hold all its processes and to limit them.
 *
 * <p>Version 1: a folder {@code muster} at the root of the hierarchies freezer, memory and cpu. Version 2: a folder {@code muster} in the
 * nearest group above the service's own in which it may make one with the controllers cpu and memory, as systemd's user manager or a
 * container with its own cgroup namespace allow. {@link None} where neither is allowed.
 */
public sealed interface Cgroups {
    /** Whether all processes of an attempt can be found through its groups. */
    boolean holdsProcesses();

    boolean limitsCpu();

    boolean limitsMemory();

    /**
     * Makes the groups of one attempt; what is there already is used.
     *
     * @param name name of the attempt, unique on this machine
     */
    List<CgroupFolder> make(String name, Resources limits) throws IOException;

    /** All groups that were made with a name that begins so and are still there. */
    List<CgroupFolder> named(String prefix) throws IOException;

    /** No rights: processes are found by other means, limits are refused at submission. */
    record None() implements Cgroups {
        @Override
        public boolean holdsProcesses() {
            return false;
        }

        @Override
        public boolean limitsCpu() {
            return false;
        }

        @Override
        public boolean limitsMemory() {
            return false;
        }

        @Override
        public List<CgroupFolder> make(String name, Resources limits) {
            return List.of();
        }

        @Override
        public List<CgroupFolder> named(String prefix) {
            return List.of();
        }
    }

    /** Version 1, each hierarchy where it may be used. */
    record Version1(Optional<Path> freezer, Optional<Path> memory, Optional<Path> cpu) implements Cgroups {
        private static final long PERIOD_MICROS = 100_000;

        @Override
        public boolean holdsProcesses() {
            return freezer.isPresent();
        }

        @Override
        public boolean limitsCpu() {
            return cpu.isPresent();
        }

        @Override
        public boolean limitsMemory() {
            return memory.isPresent();
        }

        @Override
        public List<CgroupFolder> make(String name, Resources limits) throws IOException {
            List<CgroupFolder> made = new ArrayList<>();
            if (freezer.isPresent()) {
                made.add(folder(CgroupFolder.Kind.FREEZER, freezer.get(), name));
            }
            if (limits.memoryBytes().isPresent() && memory.isPresent()) {
                CgroupFolder group = folder(CgroupFolder.Kind.MEMORY, memory.get(), name);
                String bytes = Long.toString(limits.memoryBytes().getAsLong());
                Files.writeString(group.path().resolve("memory.limit_in_bytes"), bytes);
                // Memory and swap together: the limit leaves no room for swap. Absent where swap is not accounted.
                writeWhereThere(group.path().resolve("memory.memsw.limit_in_bytes"), bytes);
                made.add(group);
            }
            if (limits.milliCpus().isPresent() && cpu.isPresent()) {
                CgroupFolder group = folder(CgroupFolder.Kind.CPU, cpu.get(), name);
                Files.writeString(group.path().resolve("cpu.cfs_period_us"), Long.toString(PERIOD_MICROS));
                Files.writeString(group.path().resolve("cpu.cfs_quota_us"), quota(limits));
                made.add(group);
            }
            return made;
        }

        @Override
        public List<CgroupFolder> named(String prefix) throws IOException {
            List<CgroupFolder> found = new ArrayList<>();
            found.addAll(below(CgroupFolder.Kind.FREEZER, freezer, prefix));
            found.addAll(below(CgroupFolder.Kind.MEMORY, memory, prefix));
            found.addAll(below(CgroupFolder.Kind.CPU, cpu, prefix));
            return found;
        }

        private static CgroupFolder folder(CgroupFolder.Kind kind, Path root, String name) throws IOException {
            return new CgroupFolder(kind, Files.createDirectories(root.resolve(name)));
        }

        private static String quota(Resources limits) {
            return Long.toString(limits.milliCpus().getAsInt() * PERIOD_MICROS / 1000);
        }
    }

    /**
     * Version 2.
     *
     * @param root folder for the attempts' groups, with the controllers cpu and memory on
     */
    record Version2(Path root) implements Cgroups {
        @Override
        public boolean holdsProcesses() {
            return true;
        }

        @Override
        public boolean limitsCpu() {
            return controllers().contains("cpu");
        }

        @Override
        public boolean limitsMemory() {
            return controllers().contains("memory");
        }

        private List<String> controllers() {
            try {
                String controllers = Files.readString(root.resolve("cgroup.subtree_control"));
                return Arrays.asList(controllers.strip().split(" "));
            } catch (IOException without) {
                return List.of();
            }
        }

        @Override
        public List<CgroupFolder> make(String name, Resources limits) throws IOException {
            Path group = Files.createDirectories(root.resolve(name));
            if (limits.memoryBytes().isPresent() && limitsMemory()) {
                Files.writeString(
                        group.resolve("memory.max"),
                        Long.toString(limits.memoryBytes().getAsLong()));
                writeWhereThere(group.resolve("memory.swap.max"), "0");
            }
            if (limits.milliCpus().isPresent() && limitsCpu()) {
                Files.writeString(group.resolve("cpu.max"), limits.milliCpus().getAsInt() * 100 + " 100000");
            }
            return List.of(new CgroupFolder(CgroupFolder.Kind.UNIFIED, group));
        }

        @Override
        public List<CgroupFolder> named(String prefix) throws IOException {
            return below(CgroupFolder.Kind.UNIFIED, Optional.of(root), prefix);
        }
    }

    private static List<CgroupFolder> below(CgroupFolder.Kind kind, Optional<Path> root, String prefix)
            throws IOException {
        if (root.isEmpty() || !Files.isDirectory(root.get())) {
            return List.of();
        }
        try (Stream<Path> groups = Files.list(root.get())) {
            return groups.filter(group -> group.getFileName().toString().startsWith(prefix) && Files.isDirectory(group))
                    .map(group -> new CgroupFolder(kind, group))
                    .toList();
        }
    }

    private static void writeWhereThere(Path file, String value) throws IOException {
        try {
            if (Files.exists(file)) {
                Files.writeString(file, value);
            }
        } catch (NoSuchFileException swapIsNotAccounted) {
            return;
        }
    }
}
