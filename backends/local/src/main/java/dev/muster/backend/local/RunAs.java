package dev.muster.backend.local;

import dev.muster.model.Cause;
import dev.muster.spi.BackendException;
import dev.muster.spi.Launch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * As which user of the machine whose processes run. Nobody is mapped for a service of one person, whose processes run as the service.
 *
 * @param users by user of Muster
 */
public record RunAs(Map<String, OsUser> users) {
    /** Everything runs as the user of the service. */
    public static final RunAs NOBODY_ELSE = new RunAs(Map.of());

    /** Where it is set in the configuration of a service. */
    public static final String FIELD = "backends.local.runAs";

    public RunAs {
        users = Map.copyOf(users);
    }

    /** Whether users are mapped at all; then one who is not may run nothing. */
    public boolean isOn() {
        return !users.isEmpty();
    }

    /** What this machine or this service lacks for it; empty when nothing. */
    public static Optional<String> lacking() {
        try {
            if (!Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)) {
                return Optional.of("the service must run as root to start processes as other users");
            }
        } catch (IOException unknown) {
            return Optional.of("it cannot be told as whom the service runs: " + unknown.getMessage());
        }
        List<String> missing = Stream.of("setpriv", "unshare", "mount")
                .filter(program -> Programs.ofSystem().find(program).isEmpty())
                .toList();
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of("this machine lacks " + String.join(", ", missing) + " (package util-linux, mount)");
    }

    /** The user of the machine for a process; empty where it runs as the service. */
    Optional<OsUser> of(Launch launch) throws BackendException {
        if (!isOn()) {
            return Optional.empty();
        }
        OsUser user = users.get(launch.owner());
        if (user == null) {
            throw Failures.refused(
                    Cause.LAUNCH_FAILED,
                    "user " + launch.owner() + " is mapped to no user of the machine; add " + FIELD + "."
                            + launch.owner());
        }
        return Optional.of(user);
    }

    /** Variables that tell a process as whom it runs, in place of the service's own. */
    Map<String, String> variables(Launch launch, Path work) {
        Map<String, String> variables = new TreeMap<>();
        Optional.ofNullable(users.get(launch.owner())).ifPresent(user -> {
            variables.put("HOME", user.home().orElse(work.toString()));
            variables.put("USER", user.name());
            variables.put("LOGNAME", user.name());
        });
        return variables;
    }

    /** Gives a file or folder that no process has had yet to the user, with all below it. Links are given, not followed. */
    static void give(Path path, OsUser user) throws IOException {
        List<Path> all = new ArrayList<>();
        try (Stream<Path> walk = Files.walk(path)) {
            walk.forEach(all::add);
        }
        for (Path each : all) {
            giveOne(each, user);
        }
    }

    /** Gives this one file or folder to the user. */
    static void giveOne(Path path, OsUser user) throws IOException {
        Files.setAttribute(path, "unix:gid", user.gid(), java.nio.file.LinkOption.NOFOLLOW_LINKS);
        Files.setAttribute(path, "unix:uid", user.uid(), java.nio.file.LinkOption.NOFOLLOW_LINKS);
    }
}
