package dev.muster.backend.local;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * One control group made for one attempt (Linux, admin-guide/cgroup-v1 and cgroup-v2).
 *
 * @param kind what it can do
 * @param path its folder in a cgroup file system
 */
record CgroupFolder(Kind kind, Path path) {
    enum Kind {
        /** Version 1: holds every process of the attempt and can stop them all at once. */
        FREEZER,
        /** Version 1: limits memory. */
        MEMORY,
        /** Version 1: limits processor time. */
        CPU,
        /** Version 2: all of that. */
        UNIFIED
    }

    static CgroupFolder parse(String text) {
        int space = text.indexOf(' ');
        return new CgroupFolder(Kind.valueOf(text.substring(0, space)), Path.of(text.substring(space + 1)));
    }

    String text() {
        return kind + " " + path;
    }

    /**
     * The file a process of one thread writes 0 to in order to enter. Version 1 can take a single thread, which spares the kernel the
     * wait of some 10 ms by which it holds all other threads of the machine still.
     */
    Path entrance() {
        return path.resolve(
                switch (kind) {
                    case FREEZER, MEMORY, CPU -> "tasks";
                    case UNIFIED -> "cgroup.procs";
                });
    }

    /** Every process inside, in groups below it too. */
    Set<Long> processes() {
        Set<Long> found = new HashSet<>();
        collect(path, found);
        return found;
    }

    private static void collect(Path folder, Set<Long> found) {
        try {
            for (String line : Files.readAllLines(folder.resolve("cgroup.procs"))) {
                found.add(Long.parseLong(line));
            }
            try (DirectoryStream<Path> below = Files.newDirectoryStream(folder, Files::isDirectory)) {
                below.forEach(child -> collect(child, found));
            }
        } catch (IOException | DirectoryIteratorException gone) {
            // A group that is gone holds nobody.
            return;
        }
    }

    /** Stops every process inside, so that none can make another; version 1 only, elsewhere without effect. */
    void freeze() {
        if (kind == Kind.FREEZER) {
            write("freezer.state", "FROZEN");
        }
    }

    void thaw() {
        if (kind == Kind.FREEZER) {
            write("freezer.state", "THAWED");
        }
    }

    /** Ends every process inside at once; false where this kind of group, or an older kernel, cannot. */
    boolean kill() {
        return kind == Kind.UNIFIED && write("cgroup.kill", "1");
    }

    /** The file with a line {@code oom_kill N}, where this group limits memory. */
    boolean countsKills() {
        return switch (kind) {
            case MEMORY -> true;
            case UNIFIED -> Files.exists(killsFile());
            case FREEZER, CPU -> false;
        };
    }

    Path killsFile() {
        return path.resolve(kind == Kind.MEMORY ? "memory.oom_control" : "memory.events");
    }

    /** Removes the group; it must be empty. False while the kernel still holds it. */
    boolean remove() {
        return removeBelow(path);
    }

    private static boolean removeBelow(Path folder) {
        try (DirectoryStream<Path> below = Files.newDirectoryStream(folder, Files::isDirectory)) {
            boolean removed = true;
            for (Path child : below) {
                removed &= removeBelow(child);
            }
            if (!removed) {
                return false;
            }
            Files.delete(folder);
            return true;
        } catch (NoSuchFileException gone) {
            return true;
        } catch (DirectoryNotEmptyException files) {
            // Only a stand-in for the kernel's file system keeps files that cannot be removed with their folder.
            return true;
        } catch (IOException | DirectoryIteratorException busy) {
            return false;
        }
    }

    private boolean write(String file, String value) {
        try {
            if (!Files.exists(path.resolve(file))) {
                return false;
            }
            Files.writeString(path.resolve(file), value);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }
}
